//! Signals that are processed again, after an async action or an approval.

use crate::support::state;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};
use skill_agent::SignalError;
use skill_agent::core::Route;
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Decision};
use skill_agent::store::{Memory, Store};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::UNIX_EPOCH;

/// Counts calls.
#[derive(Clone, Default)]
pub struct CallCount(Arc<AtomicUsize>);

impl CallCount {
    fn add(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

#[derive(Resources)]
pub struct World {
    starts: CallCount,
}

/// Replaces the data of its signals with the current time, or with a value that changes each time.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "timed",
    actions(SlowEcho, Echo, ReturnUnserializable, ReturnUnserializableLater),
    hooks
)]
pub struct Timed {
    echoes: usize,
}

/// Return the time in the signal, as an async action.
#[action(on("timed.slow_echo", "timed.changing"), on("timed.all", priority = 9))]
pub async fn slow_echo(_: &Timed, starts: &CallCount, at: u64) -> u64 {
    starts.add();
    tokio::task::yield_now().await;
    at
}

/// Return the time in the signal.
#[action(on("timed.echo"), on("timed.all", priority = 8))]
pub fn echo(timed: &mut Timed, at: u64) -> u64 {
    timed.echoes += 1;
    at
}

/// A type whose `Serialize` always fails.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Unserializable;

impl Serialize for Unserializable {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("it cannot be serialized"))
    }
}

/// Change the state and return a value that cannot be serialized.
#[action]
pub fn return_unserializable(timed: &mut Timed) -> Unserializable {
    timed.echoes += 1;
    Unserializable
}

/// Queue an instruction and return a value that cannot be serialized, as an async action.
#[action]
pub async fn return_unserializable_later(_: &Timed, cx: &mut Context<Timed>) -> Unserializable {
    cx.then(Echo { at: 0 });
    Unserializable
}

static CHANGES: AtomicUsize = AtomicUsize::new(0);
static CLASHES: AtomicUsize = AtomicUsize::new(0);

impl Hooks for Timed {
    fn routes(_: &NoConfig) -> Vec<(Route, Instruction)> {
        let run = Instruction::new("slow_echo", json!({ "at": 1 }));
        vec![(Route::new("timed.clash"), run)]
    }

    fn transform_result(
        &mut self,
        signal: &Signal,
        result: Result<Value, HookError>,
        _: &mut Context<Self>,
    ) -> Result<Value, HookError> {
        match result {
            Err(error) if signal.ty() == "timed.clash" => Ok(json!(error.to_string())),
            result => result,
        }
    }

    fn prepare_signal(
        &mut self,
        signal: Signal,
        cx: &mut Context<Self>,
    ) -> Result<Signal, HookError> {
        let at = match signal.ty() {
            // the route sets `at` too, from the second pass on
            "timed.clash" if CLASHES.fetch_add(1, Ordering::SeqCst) == 0 => return Ok(signal),
            "timed.changing" => CHANGES.fetch_add(1, Ordering::SeqCst) as u128,
            _ => cx
                .now()
                .unwrap()
                .duration_since(UNIX_EPOCH)
                .unwrap()
                .as_nanos(),
        };
        Ok(signal.with_data(json!({ "at": at as u64 })))
    }
}

agent! {
    /// Has the skill `timed`.
    pub struct TimedAgent {
        name: "timed_agent",
        skills: [Timed],
    }
}

fn signal(ty: &'static str) -> Signal {
    Signal::new(ty, Value::Null)
}

#[timed_test::test]
async fn a_reprocessed_signal_sees_the_same_time_and_the_guard_is_asked_once_per_action() {
    let starts = CallCount::default();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = asked.clone();
    let guard = move |attempt: &Attempt<'_>| {
        log.lock().unwrap().push(attempt.tool.name.to_owned());
        Decision::Allow
    };
    let world = World {
        starts: starts.clone(),
    };
    let builder = AgentServer::builder(TimedAgent::new()).resources(world);
    let server = builder.guard(guard).start().await.unwrap();
    let answer = server.request(signal("timed.all")).await.unwrap();
    assert_eq!(answer[0], answer[1]);
    assert_eq!(starts.get(), 1);
    assert_eq!(*asked.lock().unwrap(), ["slow_echo", "echo"]);
}

#[timed_test::test]
async fn a_signal_whose_arguments_change_when_reprocessed_starts_its_action_once_and_fails() {
    let starts = CallCount::default();
    let world = World {
        starts: starts.clone(),
    };
    let builder = AgentServer::builder(TimedAgent::new()).resources(world);
    let server = builder.start().await.unwrap();
    let error = server.request(signal("timed.changing")).await.unwrap_err();
    assert!(
        matches!(&error, ServeError::Action(SignalError::Changed { action, .. }) if action == "slow_echo"),
        "{error:?}"
    );
    assert_eq!(starts.get(), 1);

    // The approver is asked once.
    let questions = CallCount::default();
    let count = questions.clone();
    let approver = move |_: ApprovalRequest| {
        count.add();
        async { true }
    };
    let world = World {
        starts: starts.clone(),
    };
    let builder = AgentServer::builder(TimedAgent::new()).resources(world);
    let builder = builder.guard(|_: &Attempt<'_>| Decision::Ask);
    let server = builder.approver(approver).start().await.unwrap();
    let error = server.request(signal("timed.changing")).await.unwrap_err();
    assert!(
        matches!(error, ServeError::Action(SignalError::Changed { .. })),
        "{error:?}"
    );
    assert_eq!((questions.get(), starts.get()), (1, 1));
}

#[timed_test::test]
async fn an_action_that_ran_is_not_lost_to_a_routing_error_of_a_later_pass() {
    let starts = CallCount::default();
    let world = World {
        starts: starts.clone(),
    };
    let builder = AgentServer::builder(TimedAgent::new()).resources(world);
    let server = builder.start().await.unwrap();
    let error = server.request(signal("timed.clash")).await.unwrap_err();
    assert!(
        matches!(&error, ServeError::Action(SignalError::Changed { action, .. }) if action == "slow_echo"),
        "{error:?}"
    );
    assert_eq!(starts.get(), 1);
}

#[timed_test::test]
async fn an_id_that_the_server_gave_a_signal_is_not_an_idempotency_key() {
    let memory = Memory::default();
    let world = World {
        starts: CallCount::default(),
    };
    let builder = AgentServer::builder(TimedAgent::with_id("timed-1")).resources(world);
    let server = builder.store(memory.clone()).start().await.unwrap();
    server.request(signal("timed.all")).await.unwrap();
    let mut own = signal("timed.all");
    own.stamp("id-1", "/elsewhere", UNIX_EPOCH);
    server.request(own).await.unwrap();
    server.kill();
    server.closed().await;
    let mut log = memory.open("timed-1").unwrap();
    log.recover().await.unwrap();
    let keys = log.scan("signal_keys", b"", 10).await.unwrap();
    assert_eq!(keys.len(), 1, "the one of the signal that has an id");
}

#[timed_test::test]
async fn an_output_that_cannot_be_serialized_for_its_key_undoes_the_command() {
    let world = World {
        starts: CallCount::default(),
    };
    let builder = AgentServer::builder(TimedAgent::new()).resources(world);
    let server = builder.start().await.unwrap();
    let errors = [
        server
            .call_with_key("a", ReturnUnserializable {})
            .await
            .unwrap_err()
            .map(drop),
        server
            .call_with_key("b", ReturnUnserializableLater {})
            .await
            .unwrap_err()
            .map(drop),
    ];
    for error in errors {
        assert!(
            matches!(&error, ServeError::IdempotencyEncode { reason, .. } if reason.contains("cannot be serialized")),
            "{error:?}"
        );
    }
    assert_eq!(state(&server).await["timed"]["echoes"], 0);
}
