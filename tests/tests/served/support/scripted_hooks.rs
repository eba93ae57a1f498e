//! An agent whose hooks and actions each emit a signal `step` with their name and count their calls in the state. The
//! subject of a signal is a script of further effects, such as `alpha.prepare=fail`.

use super::{script, subscribed, texts};
use crate::errors::chain;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::Start;
use skill_agent::prelude::*;

/// Emits the step, and returns or executes the effect that the script of the signal has for it.
fn step<S: Skill>(cx: &mut Context<S>, signal: &Signal, hook: &str) -> Result<String, HookError> {
    let step = format!("{}.{hook}", cx.skill());
    let what = script(signal.subject().unwrap_or_default())
        .get(&*step)
        .copied()
        .unwrap_or_default()
        .to_owned();
    cx.emit(Signal::new("step", json!(step)));
    match &*what {
        "fail" => Err(HookError::new(format!("{step} failed as scripted"))),
        "panic" => panic!("{step} panicked as scripted"),
        "reply" => {
            cx.reply(Signal::new("answer", json!(format!("{step} replies"))));
            Ok(what)
        }
        _ => Ok(what),
    }
}

macro_rules! scripted_hooks {
    ($Skill:ty) => {
        impl Hooks for $Skill {
            fn on_mount(&mut self, start: Start, cx: &mut Context<Self>) -> Result<(), HookError> {
                self.seen += 1;
                assert_eq!(start, Start::Fresh);
                step(cx, &Signal::new("none", Value::Null), "on_mount").map(drop)
            }

            fn prepare_signal(
                &mut self,
                signal: Signal,
                cx: &mut Context<Self>,
            ) -> Result<Signal, HookError> {
                self.seen += 1;
                Ok(match &*step(cx, &signal, "prepare")? {
                    "rename" => signal.with_type("trail.one"),
                    "unknown" => signal.with_type("nowhere"),
                    "data" => signal.with_data(json!({ "by": 5 })),
                    _ => signal,
                })
            }

            fn handle_signal(
                &mut self,
                signal: &Signal,
                cx: &mut Context<Self>,
            ) -> Result<Handled, HookError> {
                self.seen += 1;
                let what = step(cx, signal, "handle")?;
                for _ in 0..match &*what {
                    "run" => 1,
                    "twice" => 2,
                    _ => 0,
                } {
                    cx.run(Instruction::new("mark", json!({ "by": 3 })));
                }
                if what == "trip" {
                    cx.run(Instruction::new("trip", json!({})));
                }
                match &*what {
                    "" => Ok(Handled::Ignored),
                    _ => Ok(Handled::Done),
                }
            }

            fn transform_result(
                &mut self,
                signal: &Signal,
                result: Result<Value, HookError>,
                cx: &mut Context<Self>,
            ) -> Result<Value, HookError> {
                self.seen += 1;
                let hook = match result {
                    Ok(_) => "transform_ok",
                    Err(_) => "transform_err",
                };
                match &*step(cx, signal, hook)? {
                    "heal" => Ok(json!("healed")),
                    "replace" => Ok(json!({ "was": result? })),
                    "other" => Err(HookError::new("a replaced error")),
                    _ => result,
                }
            }
        }
    };
}

/// Second in the list, but first in requirement order.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "alpha", actions(Mark), hooks)]
pub struct Alpha {
    pub seen: u32,
    pub marks: u32,
}
scripted_hooks!(Alpha);

/// Requires `alpha`.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "beta", requires("alpha"), actions(Note, Answer), hooks)]
pub struct Beta {
    pub seen: u32,
    pub notes: u32,
}
scripted_hooks!(Beta);

/// First in the list, but requires `beta`, and so `alpha` too.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "gamma", requires("beta"), actions(Trip), hooks)]
pub struct Gamma {
    pub seen: u32,
    pub trips: u32,
}
scripted_hooks!(Gamma);

fn emit_step<S: Skill>(cx: &mut Context<S>, action: &str) {
    cx.emit(Signal::new(
        "step",
        json!(format!("{}.{action}", cx.skill())),
    ));
}

/// Add to the marks.
#[action(
    on("trail.one", "trail.two", "trail.reply", "trail.quiet"),
    on("trail.broken", priority = 9)
)]
pub fn mark(alpha: &mut Alpha, cx: &mut Context<Alpha>, #[arg(default = 1)] by: u32) -> u32 {
    emit_step(cx, "mark");
    alpha.marks += by;
    alpha.marks
}

/// Count a note.
#[action(on("trail.two", priority = 5))]
pub fn note(beta: &mut Beta, cx: &mut Context<Beta>) -> &'static str {
    emit_step(cx, "note");
    beta.notes += 1;
    "noted"
}

/// Reply twice, and return another output.
#[action(on("trail.reply", "trail.answer", priority = -5))]
pub fn answer(_: &Beta, cx: &mut Context<Beta>) -> u32 {
    for text in ["first reply", "second reply"] {
        cx.reply(Signal::new("answer", json!(text)));
    }
    7
}

#[derive(Debug, PartialEq, thiserror::Error)]
#[error("gamma tripped")]
pub struct Tripped;

/// Change the state and fail.
#[action(on("trail.trip", "trail.broken"))]
pub fn trip(gamma: &mut Gamma, cx: &mut Context<Gamma>) -> Result<(), Tripped> {
    emit_step(cx, "trip");
    gamma.trips += 1;
    Err(Tripped)
}

agent! {
    /// Has three skills with scripted hooks, and hooks of its own.
    pub struct Trail {
        name: "trail",
        state: { seen: u32, looks: u32 },
        skills: [Gamma, Alpha, Beta],
        actions: [Look],
        hooks,
    }
}
scripted_hooks!(TrailBase);

/// Count a look.
#[action(on("trail.look"))]
pub fn look(trail: &mut TrailBase, cx: &mut Context<TrailBase>) -> u32 {
    emit_step(cx, "look");
    trail.looks += 1;
    trail.looks
}

/// The order in which the hooks run, which follows from the requirements.
pub const ORDER: [&str; 4] = ["trail", "alpha", "beta", "gamma"];

/// The steps of a hook, in order.
pub fn steps_of(hook: &str) -> Vec<String> {
    ORDER
        .iter()
        .map(|skill| format!("{skill}.{hook}"))
        .collect()
}

/// A server, and a subscription to the steps after its start.
pub async fn trail() -> (AgentServer<Trail>, Subscription) {
    let builder = AgentServer::builder(Trail::new());
    let (builder, mut steps) = subscribed(builder, "step");
    let server = builder.start().await.unwrap();
    texts(&mut steps);
    (server, steps)
}

/// A signal with a script.
pub fn scripted(ty: &'static str, script: &str) -> Signal {
    Signal::new(ty, Value::Null).with_subject(script)
}

/// The error of a failed request, with its causes.
pub async fn request_error<G: Agent>(server: &AgentServer<G>, signal: Signal) -> String {
    chain(&server.request(signal).await.unwrap_err())
}
