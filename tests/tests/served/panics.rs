//! Panics of user code: they are errors, change nothing, and the server continues.

use crate::support::counter::*;
use crate::support::pages::{page, reader};
use crate::support::trail::{Trail, told, trail};
use crate::support::{chain, state, subscribed, texts};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::core::Route;
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Decision};
use skill_agent::{Start, StartError};

fn is_panic<T: std::fmt::Debug, E: std::fmt::Debug>(result: Result<T, ServeError<E>>, says: &str) {
    match result {
        Err(ServeError::Panicked { message, .. }) => assert_eq!(message, says),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_action_that_panics_answers_so_however_it_is_called_and_has_changed_nothing() {
    let server = clerk().await;
    server.call(Add { by: 1 }).await.unwrap();
    let says = "the counter burst at 1001";
    is_panic(server.call(Burst {}).await, says);
    is_panic(server.call_json("burst", "{}").await, says);
    is_panic(
        server
            .request(Signal::new("counter.burst", json!({})))
            .await,
        says,
    );
    server
        .send(Signal::new("counter.burst", json!({})))
        .await
        .unwrap();
    assert_eq!(count(&server).await, 1);
    assert_eq!(server.call(Add { by: 1 }).await.unwrap(), 2);
    assert_eq!(server.stats().failed, 4);
}

#[tokio::test]
async fn a_hook_that_panics_answers_so_and_nothing_of_the_signal_is_kept() {
    let (server, mut steps) = trail().await;
    let before = state(&server).await;
    for (ty, step) in [
        ("trail.one", "beta.prepare"),
        ("trail.none", "beta.handle"),
        ("trail.one", "beta.transform_ok"),
        ("trail.trip", "trail.transform_err"),
    ] {
        let script = format!("{step}=panic");
        is_panic(
            server.request(told(ty, &script)).await,
            &format!("{step} fell over"),
        );
        assert_eq!(state(&server).await, before, "{step}");
        assert_eq!(texts(&mut steps), [""; 0], "{step}");
    }
    server.request(told("trail.one", "")).await.unwrap();
}

#[tokio::test]
async fn a_guard_that_panics_denies_and_the_server_lives() {
    let guard = |attempt: &Attempt<'_>| match attempt.tool.name {
        "add" => panic!("the guard fell asleep"),
        _ => Decision::Allow,
    };
    let server = AgentServer::builder(Clerk::new())
        .guard(guard)
        .start()
        .await
        .unwrap();
    let says = "`add` was denied: the guard panicked";
    assert_eq!(
        server.call(Add { by: 1 }).await.unwrap_err().to_string(),
        says
    );
    let error = server.call_json("add", r#"{"by":1}"#).await.unwrap_err();
    assert_eq!(error.to_string(), says);
    let error = server
        .request(Signal::new("counter.add", json!({ "by": 1 })))
        .await;
    assert_eq!(error.unwrap_err().to_string(), says);
    server.call(Tell { times: 1 }).await.unwrap();
    assert_eq!(count(&server).await, 0);
}

/// Cannot be made.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "fragile")]
pub struct Fragile {}

impl Default for Fragile {
    fn default() -> Self {
        panic!("it fell apart")
    }
}

/// Sets things up.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "porter", actions(SetUp))]
pub struct Porter {
    asked: u32,
}

/// Mount what cannot be made.
#[action]
pub fn set_up(porter: &mut Porter, cx: &mut Context<Porter>) {
    porter.asked += 1;
    cx.mount("fragile", &json!({}));
}

agent! {
    /// Mounts what cannot be made.
    pub struct Lobby {
        name: "lobby",
        skills: [Porter],
        mounted: [Fragile],
    }
}

#[tokio::test]
async fn a_mounted_skill_that_panics_while_it_is_made_undoes_the_action_that_asked_for_it() {
    let server = AgentServer::builder(Lobby::new()).start().await.unwrap();
    let before = state(&server).await;
    let typed = server.call(SetUp {}).await.unwrap_err();
    let named = server.call_json("set_up", "{}").await.unwrap_err();
    for error in [typed.to_string(), named.to_string()] {
        assert!(error.contains("it fell apart"), "{error}");
    }
    assert_eq!(state(&server).await, before);
}

/// Does at the start what its configuration says.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "late", config = LateConfig, hooks)]
pub struct Late {}

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct LateConfig {
    panics: String,
}

impl LateConfig {
    fn at(&self, hook: &str) {
        assert!(self.panics != hook, "{hook} fell over");
    }
}

impl Hooks for Late {
    fn on_mount(&mut self, _: Start, cx: &mut Context<Self>) -> Result<(), HookError> {
        cx.config().at("on_mount");
        if cx.config().panics == "fail" {
            return Err(HookError::new("no service"));
        }
        Ok(())
    }

    fn routes(config: &LateConfig) -> Vec<(Route, Instruction)> {
        config.at("routes");
        Vec::new()
    }

    fn child_specs(config: &LateConfig) -> Vec<ChildSpec> {
        config.at("child_specs");
        Vec::new()
    }
}

agent! {
    /// Comes late.
    pub struct Riser {
        name: "riser",
        skills: [Late],
    }
}

fn riser(panics: &str) -> Riser {
    Riser::builder()
        .config_value(&json!({ "late": { "panics": panics } }))
        .unwrap()
        .build()
}

#[tokio::test]
async fn a_hook_that_panics_while_starting_is_an_error_of_the_start() {
    for hook in ["on_mount", "routes", "child_specs"] {
        let error = AgentServer::builder(riser(hook)).start().await.unwrap_err();
        let StartError::Panicked { message, .. } = &error else {
            panic!("{error:?}")
        };
        assert_eq!(*message, format!("{hook} fell over"));
    }
    AgentServer::builder(riser("")).start().await.unwrap();
}

#[tokio::test]
async fn on_mount_that_fails_stops_the_start_and_names_the_skill() {
    let builder = AgentServer::builder(riser("fail"));
    let (builder, mut all) = subscribed(builder, "**");
    let error = builder.start().await.unwrap_err();
    assert_eq!(
        chain(&error),
        "`on_mount` of the skill `late` failed: no service"
    );
    // the subscription has ended
    assert!(all.next().await.is_none());
}

#[tokio::test]
async fn the_agents_own_hooks_stop_the_start_when_they_fail_on_agent_init() {
    // the first signal has no subject, so that nothing fails here
    AgentServer::builder(Trail::new()).start().await.unwrap();
    let error = AgentServer::builder(Grumpy::new())
        .start()
        .await
        .unwrap_err();
    assert!(matches!(error, StartError::Init(_)), "{error:?}");
    assert!(
        chain(&error).contains("`prepare_signal` of the skill `grumpy`"),
        "{error}"
    );
}

agent! {
    /// Refuses to begin.
    pub struct Grumpy {
        name: "grumpy",
        skills: [],
        hooks,
    }
}

impl Hooks for GrumpyBase {
    fn prepare_signal(
        &mut self,
        signal: Signal,
        _: &mut Context<Self>,
    ) -> Result<Signal, HookError> {
        match signal.ty() {
            "agent.init" => Err(HookError::new("not before noon")),
            _ => Ok(signal),
        }
    }
}

/// Counts the calls of `hear`.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "ear", actions(Hear))]
pub struct Ear {
    heard: u32,
}

/// Hear a thing.
#[action(on("**"))]
pub fn hear(ear: &mut Ear, what: String) -> usize {
    ear.heard += 1;
    what.len()
}

agent! {
    /// Listens.
    pub struct Listener {
        name: "listener",
        skills: [Ear],
    }
}

#[tokio::test]
async fn agent_init_does_not_take_a_route_of_a_skill() {
    let server = AgentServer::builder(Listener::new()).start().await.unwrap();
    assert_eq!(state(&server).await["ear"]["heard"], 0);
    let word = Signal::new("a.word", json!({ "what": "word" }));
    assert_eq!(server.request(word).await.unwrap(), 4);
}

mod waking {
    use skill_agent::prelude::*;

    agent! {
        /// Takes its time to wake.
        pub struct Sleeper {
            name: "sleeper",
            state: { awake: bool },
            skills: [],
            actions: [Wake, Rise],
        }
    }

    /// Wake slowly.
    #[action(on("agent.init", priority = 1))]
    pub async fn wake(_: &SleeperBase, cx: &mut Context<SleeperBase>, start: String) {
        assert_eq!(start, "fresh");
        tokio::task::yield_now().await;
        cx.then(Rise { start });
    }

    /// Rise.
    #[action(on("agent.init"))]
    pub fn rise(sleeper: &mut SleeperBase, start: String) {
        sleeper.awake = start == "fresh";
    }
}

#[tokio::test]
async fn agent_init_may_lead_to_an_async_action_and_to_a_question() {
    let builder = AgentServer::builder(waking::Sleeper::new());
    let builder = builder.guard(|attempt: &Attempt<'_>| match attempt.tool.name {
        "wake" => Decision::Ask,
        _ => Decision::Allow,
    });
    let builder = builder.approver(async |_: ApprovalRequest| {
        tokio::task::yield_now().await;
        true
    });
    let server = builder.start().await.unwrap();
    assert!(server.agent().await.unwrap().state().awake);
}

#[test]
fn an_async_action_on_a_runtime_without_time_answers_so_and_the_server_lives() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (builder, far) = reader();
        let server = builder.concurrent_actions(1).start().await.unwrap();
        far.go(2);
        for _ in 0..2 {
            let error = server.call(page("a")).await.unwrap_err();
            assert!(
                matches!(&error, ServeError::Panicked { message, .. } if message.contains("enable_time")),
                "{error:?}"
            );
        }
        assert_eq!(server.stats().running, 0);
    });
}
