//! Panics of user code: each is an error and changes nothing, and the server continues.

use crate::errors::chain;
use crate::support::counter::*;
use crate::support::pages::{page, reader};
use crate::support::scripted_hooks::{Trail, scripted, trail};
use crate::support::{state, subscribed, texts};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::child::BoxFuture;
use skill_agent::clock::{Clock, SystemClock};
use skill_agent::core::Route;
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Decision, Verdict};
use skill_agent::{Start, StartError};
use std::time::{Duration, SystemTime};

fn assert_panicked<T: std::fmt::Debug, E: std::fmt::Debug>(
    result: Result<T, ServeError<E>>,
    expected: &str,
) {
    match result {
        Err(ServeError::Panicked { message, .. }) => assert_eq!(message, expected),
        other => panic!("{other:?}"),
    }
}

#[timed_test::test]
async fn a_panicking_action_is_an_error_for_every_kind_of_call_and_is_undone() {
    let server = clerk().await;
    server.call(Add { by: 1 }).await.unwrap();
    let message = "the counter crashed at 1001";
    assert_panicked(server.call(Crash {}).await, message);
    assert_panicked(server.call_json("crash", "{}").await, message);
    assert_panicked(
        server
            .request(Signal::new("counter.crash", json!({})))
            .await,
        message,
    );
    server
        .send(Signal::new("counter.crash", json!({})))
        .await
        .unwrap();
    assert_eq!(count(&server).await, 1);
    assert_eq!(server.call(Add { by: 1 }).await.unwrap(), 2);
    assert_eq!(server.stats().failed, 4);
}

#[timed_test::test]
async fn a_panicking_hook_is_an_error_and_the_signal_is_undone() {
    let (server, mut steps) = trail().await;
    let before = state(&server).await;
    for (ty, step) in [
        ("trail.one", "beta.prepare"),
        ("trail.none", "beta.handle"),
        ("trail.one", "beta.transform_ok"),
        ("trail.trip", "trail.transform_err"),
    ] {
        let script = format!("{step}=panic");
        assert_panicked(
            server.request(scripted(ty, &script)).await,
            &format!("{step} panicked as scripted"),
        );
        assert_eq!(state(&server).await, before, "{step}");
        assert_eq!(texts(&mut steps), [""; 0], "{step}");
    }
    server.request(scripted("trail.one", "")).await.unwrap();
}

#[timed_test::test]
async fn a_guard_that_panics_denies_and_the_server_continues() {
    let guard = |attempt: &Attempt<'_>| match attempt.tool.name {
        "add" => panic!("the guard panics"),
        _ => Decision::Allow,
    };
    let server = AgentServer::builder(Clerk::new())
        .guard(guard)
        .start()
        .await
        .unwrap();
    let denied = "`add` was denied: the guard panicked";
    assert_eq!(
        server.call(Add { by: 1 }).await.unwrap_err().to_string(),
        denied
    );
    let error = server.call_json("add", r#"{"by":1}"#).await.unwrap_err();
    assert_eq!(error.to_string(), denied);
    let error = server
        .request(Signal::new("counter.add", json!({ "by": 1 })))
        .await;
    assert_eq!(error.unwrap_err().to_string(), denied);
    server.call(EmitCount { times: 1 }).await.unwrap();
    assert_eq!(count(&server).await, 0);
}

/// A skill whose `Default` panics.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "fragile")]
pub struct Fragile {}

impl Default for Fragile {
    fn default() -> Self {
        panic!("`default` panics")
    }
}

/// Mounts a skill in an action.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "mounter", actions(SetUp))]
pub struct Mounter {
    asked: u32,
}

/// Mount the skill whose `Default` panics.
#[action]
pub fn set_up(mounter: &mut Mounter, cx: &mut Context<Mounter>) {
    mounter.asked += 1;
    cx.mount("fragile", &json!({}));
}

agent! {
    /// Can mount the skill whose `Default` panics.
    pub struct MountingAgent {
        name: "mounting_agent",
        skills: [Mounter],
        mounted: [Fragile],
    }
}

#[timed_test::test]
async fn a_skill_that_panics_while_being_mounted_undoes_the_action_that_mounts_it() {
    let server = AgentServer::builder(MountingAgent::new())
        .start()
        .await
        .unwrap();
    let before = state(&server).await;
    let typed = server.call(SetUp {}).await.unwrap_err();
    let named = server.call_json("set_up", "{}").await.unwrap_err();
    for error in [typed.to_string(), named.to_string()] {
        assert!(error.contains("`default` panics"), "{error}");
    }
    assert_eq!(state(&server).await, before);
}

/// Panics or fails in the hook that its configuration names.
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
        assert!(self.panics != hook, "{hook} panics");
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
    /// Has the skill `late`.
    pub struct LateAgent {
        name: "late_agent",
        skills: [Late],
    }
}

fn late_agent(panics: &str) -> LateAgent {
    LateAgent::builder()
        .config_value(&json!({ "late": { "panics": panics } }))
        .unwrap()
        .build()
        .unwrap()
}

#[timed_test::test]
async fn a_hook_that_panics_during_the_start_is_a_start_error() {
    for hook in ["on_mount", "routes", "child_specs"] {
        let error = AgentServer::builder(late_agent(hook))
            .start()
            .await
            .unwrap_err();
        let StartError::Panicked { message, .. } = &error else {
            panic!("{error:?}")
        };
        assert_eq!(*message, format!("{hook} panics"));
    }
    AgentServer::builder(late_agent("")).start().await.unwrap();
}

#[timed_test::test]
async fn a_failing_on_mount_is_a_start_error_that_names_the_skill() {
    let builder = AgentServer::builder(late_agent("fail"));
    let (builder, mut all) = subscribed(builder, "**");
    let error = builder.start().await.unwrap_err();
    assert_eq!(
        chain(&error),
        "`on_mount` of the skill `late` failed: no service"
    );
    // The subscription has ended.
    assert!(all.next().await.is_none());
}

#[timed_test::test]
async fn a_failing_hook_of_the_agent_on_agent_init_is_a_start_error() {
    // The first signal has no subject, so no hook is scripted to fail.
    AgentServer::builder(Trail::new()).start().await.unwrap();
    let error = AgentServer::builder(RefusingAgent::new())
        .start()
        .await
        .unwrap_err();
    assert!(matches!(error, StartError::Init(_)), "{error:?}");
    assert!(
        chain(&error).contains("`prepare_signal` of the skill `refusing_agent`"),
        "{error}"
    );
}

agent! {
    /// Fails on `agent.init`.
    pub struct RefusingAgent {
        name: "refusing_agent",
        skills: [],
        hooks,
    }
}

impl Hooks for RefusingAgentBase {
    fn prepare_signal(
        &mut self,
        signal: Signal,
        _: &mut Context<Self>,
    ) -> Result<Signal, HookError> {
        match signal.ty() {
            "agent.init" => Err(HookError::new("refused")),
            _ => Ok(signal),
        }
    }
}

/// Has a route for every signal.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "catch_all", actions(TextLength))]
pub struct CatchAll {
    calls: u32,
}

/// Return the length of a text.
#[action(on("**"))]
pub fn text_length(catch_all: &mut CatchAll, what: String) -> usize {
    catch_all.calls += 1;
    what.len()
}

agent! {
    /// Has the skill `catch_all`.
    pub struct CatchAllAgent {
        name: "catch_all_agent",
        skills: [CatchAll],
    }
}

#[timed_test::test]
async fn agent_init_does_not_use_routes_of_skills() {
    let server = AgentServer::builder(CatchAllAgent::new())
        .start()
        .await
        .unwrap();
    assert_eq!(state(&server).await["catch_all"]["calls"], 0);
    let word = Signal::new("a.word", json!({ "what": "word" }));
    assert_eq!(server.request(word).await.unwrap(), 4);
}

mod waking {
    use skill_agent::prelude::*;

    agent! {
        /// Has actions that `agent.init` runs.
        pub struct WakingAgent {
            name: "waking_agent",
            state: { awake: bool },
            skills: [],
            actions: [Wake, Rise],
        }
    }

    /// Wait, then rise.
    #[action(on("agent.init", priority = 1))]
    pub async fn wake(_: &WakingAgentBase, cx: &mut Context<WakingAgentBase>, start: String) {
        assert_eq!(start, "fresh");
        tokio::task::yield_now().await;
        cx.then(Rise { start });
    }

    /// Set `awake`.
    #[action(on("agent.init"))]
    pub fn rise(agent: &mut WakingAgentBase, start: String) {
        agent.awake = start == "fresh";
    }
}

#[timed_test::test]
async fn agent_init_can_run_an_async_action_that_needs_approval() {
    let builder = AgentServer::builder(waking::WakingAgent::new());
    let builder = builder.guard(|attempt: &Attempt<'_>| {
        let shown = format!("{attempt:?}");
        assert!(
            shown.contains(attempt.tool.name) && !shown.contains("fresh"),
            "{shown}"
        );
        match attempt.tool.name {
            "wake" => Decision::Ask,
            _ => Decision::Allow,
        }
    });
    let builder = builder.approver(async |_: ApprovalRequest| {
        tokio::task::yield_now().await;
        true
    });
    let server = builder.start().await.unwrap();
    assert!(server.agent().await.unwrap().state().awake);
}

#[timed_test::test]
async fn the_decision_on_an_action_of_agent_init_cannot_be_deferred() {
    let builder = AgentServer::builder(waking::WakingAgent::new());
    let builder = builder.ask_when::<waking::Rise>(|_| true);
    let builder = builder.approver(async |_: ApprovalRequest| Verdict::Later);
    let text = chain(&builder.start().await.unwrap_err());
    let reason = "`rise` was denied: the decision was deferred, but no caller is waiting for it";
    assert!(text.contains(reason), "{text}");
}

/// A clock that can wait when the server starts, and has no timer for a longer wait.
#[derive(Debug)]
struct ShortClock;

impl Clock for ShortClock {
    fn now(&self) -> SystemTime {
        SystemTime::now()
    }

    fn sleep(&self, duration: Duration) -> BoxFuture<()> {
        match duration {
            Duration::ZERO => Box::pin(std::future::ready(())),
            _ => SystemClock.sleep(duration),
        }
    }
}

#[test]
fn an_async_action_on_a_runtime_without_time_is_an_error_and_the_server_continues() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime.block_on(async {
        let (builder, control) = reader();
        let builder = builder.clock(ShortClock).concurrent_actions(1);
        let server = builder.start().await.unwrap();
        control.allow(2);
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

#[timed_test::test]
async fn an_action_of_agent_init_takes_the_kind_of_start_or_nothing() {
    agent! {
        /// Counts its starts.
        pub struct Starter {
            name: "starter",
            state: { starts: u32 = 0, kind: String = String::new() },
            skills: [],
            actions: [CountStart, NoteStart],
        }
    }

    /// Count a start.
    #[action(on("agent.init", priority = 1))]
    pub fn count_start(base: &mut StarterBase) {
        base.starts += 1;
    }

    /// Note the kind of a start.
    #[action(on("agent.init"))]
    pub fn note_start(base: &mut StarterBase, start: String) {
        base.kind = start;
    }

    let server = AgentServer::builder(Starter::new()).start().await.unwrap();
    let agent = server.agent().await.unwrap();
    assert_eq!((agent.state().starts, &*agent.state().kind), (1, "fresh"));
}
