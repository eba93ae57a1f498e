//! Signals that are processed again, after an async action and after an approval.

use crate::support::state;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::{Value, json};
use skill_agent::SignalError;
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Decision};
use skill_agent::store::{Memory, Store};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::UNIX_EPOCH;

/// How often something happened.
#[derive(Clone, Default)]
pub struct Times(Arc<AtomicUsize>);

impl Times {
    fn add(&self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }

    fn get(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

#[derive(Resources)]
pub struct World {
    starts: Times,
}

/// Puts into its signals what changes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "mill", actions(Grind, Sack, Weigh, Cart), hooks)]
pub struct Mill {
    sacks: usize,
}

/// Grind for a while.
#[action(on("mill.grind", "mill.turn"), on("mill.all", priority = 9))]
pub async fn grind(_: &Mill, starts: &Times, at: u64) -> u64 {
    starts.add();
    tokio::task::yield_now().await;
    at
}

/// Fill a sack.
#[action(on("mill.sack"), on("mill.all", priority = 8))]
pub fn sack(mill: &mut Mill, at: u64) -> u64 {
    mill.sacks += 1;
    at
}

/// What cannot be written down.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Unwritable;

impl Serialize for Unwritable {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom("there is no ink"))
    }
}

/// Fill a sack and answer what cannot be written down.
#[action]
pub fn weigh(mill: &mut Mill) -> Unwritable {
    mill.sacks += 1;
    Unwritable
}

/// The same after a while.
#[action]
pub async fn cart(_: &Mill, cx: &mut Context<Mill>) -> Unwritable {
    cx.then(Sack { at: 0 });
    Unwritable
}

static TURNS: AtomicUsize = AtomicUsize::new(0);

impl Hooks for Mill {
    fn prepare_signal(
        &mut self,
        signal: Signal,
        cx: &mut Context<Self>,
    ) -> Result<Signal, HookError> {
        let at = match signal.ty() {
            "mill.turn" => TURNS.fetch_add(1, Ordering::SeqCst) as u128,
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
    /// Grinds.
    pub struct Miller {
        name: "miller",
        skills: [Mill],
    }
}

fn signal(ty: &'static str) -> Signal {
    Signal::new(ty, Value::Null)
}

#[tokio::test]
async fn the_time_is_the_same_each_time_and_the_guard_is_asked_once_about_each_action() {
    let starts = Times::default();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let told = asked.clone();
    let guard = move |attempt: &Attempt<'_>| {
        told.lock().unwrap().push(attempt.tool.name.to_owned());
        Decision::Allow
    };
    let world = World {
        starts: starts.clone(),
    };
    let builder = AgentServer::builder(Miller::new()).resources(world);
    let server = builder.guard(guard).start().await.unwrap();
    let answer = server.request(signal("mill.all")).await.unwrap();
    assert_eq!(answer[0], answer[1]);
    assert_eq!(starts.get(), 1);
    assert_eq!(*asked.lock().unwrap(), ["grind", "sack"]);
}

#[tokio::test]
async fn a_signal_whose_arguments_change_each_time_starts_its_action_once_and_fails() {
    let starts = Times::default();
    let world = World {
        starts: starts.clone(),
    };
    let builder = AgentServer::builder(Miller::new()).resources(world);
    let server = builder.start().await.unwrap();
    let error = server.request(signal("mill.turn")).await.unwrap_err();
    assert!(
        matches!(&error, ServeError::Action(SignalError::Changed { action, .. }) if action == "grind"),
        "{error:?}"
    );
    assert_eq!(starts.get(), 1);

    // and a person is asked once
    let questions = Times::default();
    let count = questions.clone();
    let approver = move |_: ApprovalRequest| {
        count.add();
        async { true }
    };
    let world = World {
        starts: starts.clone(),
    };
    let builder = AgentServer::builder(Miller::new()).resources(world);
    let builder = builder.guard(|_: &Attempt<'_>| Decision::Ask);
    let server = builder.approver(approver).start().await.unwrap();
    let error = server.request(signal("mill.turn")).await.unwrap_err();
    assert!(
        matches!(error, ServeError::Action(SignalError::Changed { .. })),
        "{error:?}"
    );
    assert_eq!((questions.get(), starts.get()), (1, 1));
}

#[tokio::test]
async fn the_id_that_the_server_gave_a_signal_is_no_key_of_its_answer() {
    let memory = Memory::default();
    let world = World {
        starts: Times::default(),
    };
    let builder = AgentServer::builder(Miller::with_id("miller-1")).resources(world);
    let server = builder.store(memory.clone()).start().await.unwrap();
    server.request(signal("mill.all")).await.unwrap();
    let mut own = signal("mill.all");
    own.stamp("id-1", "/elsewhere", UNIX_EPOCH);
    server.request(own).await.unwrap();
    server.kill();
    server.closed().await;
    let recovered = memory.open("miller-1").unwrap().recover().unwrap();
    let keyed: Vec<_> = recovered
        .records
        .iter()
        .filter_map(|record| record.keyed.as_ref())
        .map(|keyed| &*keyed.key)
        .collect();
    assert_eq!(keyed, ["signal\n/elsewhere\nid-1"]);
}

#[tokio::test]
async fn an_answer_that_cannot_be_kept_undoes_its_command_and_says_so() {
    let world = World {
        starts: Times::default(),
    };
    let builder = AgentServer::builder(Miller::new()).resources(world);
    let server = builder.start().await.unwrap();
    let errors = [
        server
            .call_with_key("a", Weigh {})
            .await
            .unwrap_err()
            .map(drop),
        server
            .call_with_key("b", Cart {})
            .await
            .unwrap_err()
            .map(drop),
    ];
    for error in errors {
        assert!(
            matches!(&error, ServeError::IdempotencyEncode { reason, .. } if reason.contains("no ink")),
            "{error:?}"
        );
    }
    assert_eq!(state(&server).await["mill"]["sacks"], 0);
}
