//! Mount operations: by the handle, and by actions and hooks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::core::{CallError, NoConfig};
use skill_agent::prelude::*;
use skill_agent::server::SignalError;

/// How loud a drum is.
#[derive(SkillConfig, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct DrumConfig {
    #[skill(default = 1)]
    pub volume: u32,
}

/// A drum, which hears `drum.roll` too.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "drum", config = DrumConfig, signals("drum.roll"), actions(Beat), hooks)]
pub struct Drum {
    pub beats: u32,
}

/// Beat the drum.
#[action(on("drum.beat"))]
pub fn beat(drum: &mut Drum, cx: &mut Context<Drum>) -> u32 {
    drum.beats += cx.config().volume;
    drum.beats
}

impl Hooks for Drum {
    fn handle_signal(&mut self, _: &Signal, cx: &mut Context<Self>) -> Result<Handled, HookError> {
        cx.reply(Signal::new("drum.rolled", json!(self.beats)));
        Ok(Handled::Done)
    }
}

/// Needs a drum.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "band", requires("drum"), actions(Play))]
pub struct Band {}

/// Play.
#[action]
pub fn play(_: &Band) -> bool {
    true
}

/// Requests mount operations.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "stage",
    signals("stage.*"),
    actions(Change, ChangeLater),
    hooks
)]
pub struct Stage {
    pub changes: u32,
}

fn request(cx: &mut Context<Stage>, operation: &str, skill: &str) {
    let loud = json!({ "volume": 10 });
    match operation {
        "mount" => cx.mount(skill, &json!({})),
        "mount_all" => cx.mount_all([skill], &json!({ "drum": loud })),
        "replace" => cx.replace(skill, &loud),
        "unmount" => cx.unmount(skill),
        "enable" => cx.enable(skill),
        "disable" => cx.disable(skill),
        other => panic!("no operation {other}"),
    }
}

/// Request a mount operation.
#[action]
pub fn change(stage: &mut Stage, cx: &mut Context<Stage>, operation: String, skill: String) {
    stage.changes += 1;
    request(cx, &operation, &skill);
}

/// Request a mount operation from an async action.
#[action]
pub async fn change_later(_: &Stage, cx: &mut Context<Stage>, operation: String, skill: String) {
    request(cx, &operation, &skill);
}

impl Hooks for Stage {
    fn handle_signal(
        &mut self,
        signal: &Signal,
        cx: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        self.changes += 1;
        let skill = signal.data().as_str().unwrap_or_default();
        let operation = signal.ty().trim_start_matches("stage.");
        request(cx, operation, skill);
        Ok(Handled::Done)
    }
}

agent! {
    /// Can mount a drum and a band.
    pub struct Theatre {
        name: "theatre",
        skills: [Stage],
        mounted: [Band, Drum],
    }
}

async fn theatre() -> AgentServer<Theatre> {
    let builder = AgentServer::builder(Theatre::new());
    builder.start().await.unwrap()
}

fn beat_signal() -> Signal {
    Signal::new("drum.beat", json!({}))
}

async fn tool_names(server: &AgentServer<Theatre>) -> Vec<String> {
    let agent = server.agent().await.unwrap();
    let tools = agent.mounted().tools();
    tools.iter().map(|tool| tool.name.to_owned()).collect()
}

/// Mounts a skill that its agent does not have.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "prompter", hooks)]
pub struct Prompter {}

impl Hooks for Prompter {
    fn on_mount(&mut self, _: Start, cx: &mut Context<Self>) -> Result<(), HookError> {
        cx.mount("violin", &json!({}));
        Ok(())
    }
}

agent! {
    pub struct Opera {
        name: "opera",
        skills: [Prompter],
        mounted: [Drum],
    }
}

#[timed_test::test]
async fn a_mount_operation_of_on_mount_that_fails_names_its_skill_and_the_reason() {
    let started = AgentServer::builder(Opera::new()).start().await;
    assert_eq!(
        started.unwrap_err().to_string(),
        "a mount operation that `on_mount` of the skill `prompter` queued failed: no skill or document `violin` is in the registry"
    );
}

#[timed_test::test]
async fn a_disabled_skill_keeps_its_state_and_says_that_it_is_disabled() {
    let server = theatre().await;
    server.mount("drum", json!({})).await.unwrap();
    assert_eq!(server.call_json("beat", "{}").await.unwrap(), "1");
    server.disable("drum").await.unwrap();
    assert!(tool_names(&server).await.is_empty());

    let called = server.call_json("beat", "{}").await.unwrap_err();
    assert_eq!(
        called.to_string(),
        "the skill `drum` is disabled, so `beat` cannot be called; enable it first: `enable(\"drum\")`"
    );
    for ty in ["drum.beat", "drum.roll"] {
        let error = server.request(Signal::new(ty, json!({}))).await;
        let error = error.unwrap_err();
        assert!(
            matches!(
                &error,
                ServeError::Action(SignalError::Disabled { skill: "drum", .. })
            ),
            "{error:?}"
        );
        assert_eq!(
            error.to_string(),
            format!(
                "the skill `drum`, which signals of the type `{ty}` go to, is disabled; enable it first: `enable(\"drum\")`"
            )
        );
    }
    let other = server.request(Signal::new("drum.tune", json!({}))).await;
    let other = other.unwrap_err();
    assert!(
        matches!(other, ServeError::Action(SignalError::Unhandled { .. })),
        "{other:?}"
    );

    server.enable("drum").await.unwrap();
    assert_eq!(tool_names(&server).await, ["beat"]);
    assert_eq!(server.request(beat_signal()).await.unwrap(), 2);
    server.disable("drum").await.unwrap();
    server.disable("drum").await.unwrap();
    server.enable("drum").await.unwrap();
    server.enable("drum").await.unwrap();
    assert_eq!(server.request(beat_signal()).await.unwrap(), 3, "one route");
}

#[timed_test::test]
async fn a_replaced_skill_has_a_new_state_with_the_options() {
    let server = theatre().await;
    server.mount("drum", json!({})).await.unwrap();
    assert_eq!(server.request(beat_signal()).await.unwrap(), 1);
    server
        .replace("drum", json!({ "volume": 5 }))
        .await
        .unwrap();
    assert_eq!(server.request(beat_signal()).await.unwrap(), 5);
    server.disable("drum").await.unwrap();
    server.replace("drum", json!({})).await.unwrap();
    assert_eq!(server.request(beat_signal()).await.unwrap(), 1, "enabled");
}

#[timed_test::test]
async fn several_skills_are_mounted_with_their_requirements_or_none_of_them() {
    let server = theatre().await;
    let wrong = server.mount_all(["band"], json!({ "drum": { "volume": -1 } }));
    let error = wrong.await.unwrap_err().to_string();
    assert!(error.contains("the options of `drum` are wrong"), "{error}");
    assert!(server.agent().await.unwrap().mounted().is_empty());

    let names = vec!["band".to_owned()];
    let options = json!({ "drum": { "volume": 3 } });
    server.mount_all(names, options).await.unwrap();
    assert_eq!(tool_names(&server).await, ["beat", "play"]);
    assert_eq!(server.request(beat_signal()).await.unwrap(), 3);
}

#[test]
fn the_values_of_mount_options_are_not_shown() {
    let mut cx = Context::<Stage>::for_test(NoConfig {});
    cx.mount("drum", &json!({ "volume": "hunter2" }));
    cx.replace("drum", &json!({ "volume": "hunter2" }));
    cx.mount_all(["drum"], &json!({ "drum": { "volume": "hunter2" } }));
    let text = format!("{cx:?}");
    assert!(text.contains("MountAll([\"drum\"], [\"drum\"])"), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
}

/// The operations in an order in which each succeeds on a drum, with the answer of `drum.beat` afterwards.
const OPERATIONS: [(&str, Option<u32>); 6] = [
    ("mount", Some(1)),
    ("disable", None),
    ("enable", Some(2)),
    ("replace", Some(10)),
    ("unmount", None),
    ("mount_all", Some(10)),
];

#[timed_test::test]
async fn every_mount_operation_can_be_queued_by_an_action_or_a_hook() {
    for way in ["change", "change_later", "hook"] {
        let server = theatre().await;
        for (operation, answer) in OPERATIONS {
            if way == "hook" {
                let signal = Signal::new(format!("stage.{operation}"), json!("drum"));
                server.request(signal).await.unwrap();
            } else {
                let arguments = json!({ "operation": operation, "skill": "drum" });
                server.call_json(way, arguments.to_string()).await.unwrap();
            }
            let beaten = server.request(beat_signal()).await.ok();
            assert_eq!(beaten, answer.map(Value::from), "{way} {operation}");
        }
    }
}

#[timed_test::test]
async fn a_mount_operation_that_fails_fails_the_command_and_undoes_it() {
    let server = theatre().await;
    server.mount("drum", json!({})).await.unwrap();
    let not_mounted = "no skill or document `drun` is mounted; did you mean `drum`?";
    let unregistered = "no skill or document `drun` is in the registry; did you mean `drum`?";
    for (operation, reason) in [
        ("enable", not_mounted),
        ("disable", not_mounted),
        ("replace", unregistered),
        ("mount_all", unregistered),
    ] {
        let (operation, skill) = (operation.to_owned(), "drun".to_owned());
        let arguments = json!({ "operation": operation, "skill": skill }).to_string();
        let signal = Signal::new(format!("stage.{operation}"), json!("drun"));
        let typed = server.call(Change { operation, skill }).await.unwrap_err();
        assert!(matches!(typed, ServeError::Mount(_)), "{typed:?}");
        let by_name = server.call_json("change", &*arguments).await.unwrap_err();
        let later = server.call_json("change_later", arguments).await;
        let hook = server.request(signal).await.unwrap_err();
        let errors = [
            typed.to_string(),
            by_name.to_string(),
            later.unwrap_err().to_string(),
            hook.to_string(),
        ];
        for error in errors {
            assert!(error.contains(reason), "{error}");
        }
        assert_eq!(
            hook.to_string(),
            format!(
                "a mount operation that `handle_signal` of the skill `stage` queued failed: {reason}"
            )
        );
    }
    let agent = server.agent().await.unwrap();
    assert_eq!(agent.state().stage.changes, 0, "every command was undone");

    let handle = [
        server.enable("drun").await,
        server.disable("drun").await,
        server.replace("drun", json!({})).await,
        server.mount_all(["drun"], json!({})).await,
        server.replace("band", json!({})).await,
    ];
    let errors = handle.map(|error| error.unwrap_err().to_string());
    assert_eq!(
        errors,
        [
            not_mounted,
            not_mounted,
            unregistered,
            unregistered,
            "no skill or document `band` is mounted",
        ]
    );
}

#[timed_test::test]
async fn an_instruction_for_a_disabled_skill_fails_with_its_name() {
    let mut agent = Theatre::new();
    agent
        .mounted_mut()
        .mount_all_named(["drum"], &json!({}))
        .unwrap();
    agent.mounted_mut().disable("drum").unwrap();
    let error = agent.run(&[Instruction::new("beat", json!({}))]);
    assert!(matches!(
        error.unwrap_err().source,
        CallError::Disabled {
            skill: "drum",
            action: "beat",
            ..
        }
    ));
}
