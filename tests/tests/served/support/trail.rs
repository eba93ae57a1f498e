//! An agent whose hooks and actions each emit a signal `step` with their name, and count their calls in the state. The subject
//! of a signal scripts further effects, such as `alpha.prepare=fail`.

use super::{chain, script, subscribed, texts};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::Start;
use skill_agent::prelude::*;

/// Leaves a mark, and does what the signal asks of this step.
fn step<S: Skill>(cx: &mut Context<S>, signal: &Signal, hook: &str) -> Result<String, HookError> {
    let step = format!("{}.{hook}", cx.skill());
    let what = script(signal.subject().unwrap_or_default())
        .get(&*step)
        .copied()
        .unwrap_or_default()
        .to_owned();
    cx.emit(Signal::new("step", json!(step)));
    match &*what {
        "fail" => Err(HookError::new(format!("{step} does not want to"))),
        "panic" => panic!("{step} fell over"),
        "reply" => {
            cx.reply(Signal::new("answer", json!(format!("{step} replies"))));
            Ok(what)
        }
        _ => Ok(what),
    }
}

macro_rules! stage {
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
                let how = match result {
                    Ok(_) => "transform_ok",
                    Err(_) => "transform_err",
                };
                match &*step(cx, signal, how)? {
                    "heal" => Ok(json!("healed")),
                    "replace" => Ok(json!({ "was": result? })),
                    "other" => Err(HookError::new("quite another error")),
                    _ => result,
                }
            }
        }
    };
}

/// The last in the order of the list but one, the first of the requirements.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "alpha", actions(Mark), hooks)]
pub struct Alpha {
    pub seen: u32,
    pub marks: u32,
}
stage!(Alpha);

/// Needs `alpha`.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "beta", requires("alpha"), actions(Note, Answer), hooks)]
pub struct Beta {
    pub seen: u32,
    pub notes: u32,
}
stage!(Beta);

/// Stands first in the list and needs all others.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "gamma", requires("beta"), actions(Trip), hooks)]
pub struct Gamma {
    pub seen: u32,
    pub trips: u32,
}
stage!(Gamma);

fn leave<S: Skill>(cx: &mut Context<S>, action: &str) {
    cx.emit(Signal::new(
        "step",
        json!(format!("{}.{action}", cx.skill())),
    ));
}

/// Make a mark.
#[action(
    on("trail.one", "trail.two", "trail.reply", "trail.quiet"),
    on("trail.broken", priority = 9)
)]
pub fn mark(alpha: &mut Alpha, cx: &mut Context<Alpha>, #[arg(default = 1)] by: u32) -> u32 {
    leave(cx, "mark");
    alpha.marks += by;
    alpha.marks
}

/// Take a note.
#[action(on("trail.two", priority = 5))]
pub fn note(beta: &mut Beta, cx: &mut Context<Beta>) -> &'static str {
    leave(cx, "note");
    beta.notes += 1;
    "noted"
}

/// Answer otherwise than by the output.
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

/// Change something and fail.
#[action(on("trail.trip", "trail.broken"))]
pub fn trip(gamma: &mut Gamma, cx: &mut Context<Gamma>) -> Result<(), Tripped> {
    leave(cx, "trip");
    gamma.trips += 1;
    Err(Tripped)
}

agent! {
    /// Leaves marks.
    pub struct Trail {
        name: "trail",
        state: { seen: u32, looks: u32 },
        skills: [Gamma, Alpha, Beta],
        actions: [Look],
        hooks,
    }
}
stage!(TrailBase);

/// Look around.
#[action(on("trail.look"))]
pub fn look(trail: &mut TrailBase, cx: &mut Context<TrailBase>) -> u32 {
    leave(cx, "look");
    trail.looks += 1;
    trail.looks
}

/// The order of the skills with hooks, which follows from what they require.
pub const ORDER: [&str; 4] = ["trail", "alpha", "beta", "gamma"];

/// The steps of that hook, in order.
pub fn each(hook: &str) -> Vec<String> {
    ORDER
        .iter()
        .map(|skill| format!("{skill}.{hook}"))
        .collect()
}

/// A server, and a subscription to its steps from now on.
pub async fn trail() -> (AgentServer<Trail>, Subscription) {
    let builder = AgentServer::builder(Trail::new());
    let (builder, mut steps) = subscribed(builder, "step");
    let server = builder.start().await.unwrap();
    texts(&mut steps);
    (server, steps)
}

/// A signal that says what the steps are to do.
pub fn told(ty: &'static str, script: &str) -> Signal {
    Signal::new(ty, Value::Null).with_subject(script)
}

/// The error of a request that failed, with its causes.
pub async fn refused(server: &AgentServer<Trail>, signal: Signal) -> String {
    chain(&server.request(signal).await.unwrap_err())
}
