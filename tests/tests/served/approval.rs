//! Approval requests and the scope of an approval.

use crate::support::counter::*;
use crate::support::state;
use serde_json::{Value, json};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Caller, Decision, Guard};
use std::sync::{Arc, Mutex};
use tokio::sync::{mpsc, oneshot};

fn by(by: i64) -> Value {
    json!({ "by": by })
}

/// The approval requests of a server, each with a sender for the response.
type Requests = mpsc::UnboundedReceiver<(ApprovalRequest, oneshot::Sender<bool>)>;

async fn asking(guard: impl Guard) -> (AgentServer<Clerk>, Requests) {
    let (tx, requests) = mpsc::unbounded_channel();
    let builder = AgentServer::builder(Clerk::new()).guard(guard);
    let builder = builder.approver(move |request| {
        let tx = tx.clone();
        async move {
            let (answer, answered) = oneshot::channel();
            tx.send((request, answer)).unwrap();
            answered.await.unwrap_or(false)
        }
    });
    (builder.start().await.unwrap(), requests)
}

fn ask_always(_: &Attempt<'_>) -> Decision {
    Decision::Ask
}

#[timed_test::test]
async fn an_approved_action_runs_a_refused_one_does_not_and_the_server_continues_meanwhile() {
    let (server, mut requests) = asking(ask_always).await;
    for yes in [true, false] {
        let before = count(&server).await;
        let calls = [
            tokio::spawn({
                let server = server.clone();
                async move { server.call(Add { by: 1 }).await.map_err(|e| e.to_string()) }
            }),
            tokio::spawn({
                let server = server.on_behalf_of(ForeignCaller::Mcp);
                async move {
                    let answer = server.call_json("add", by(10).to_string()).await;
                    answer
                        .map(|text| text.parse().unwrap())
                        .map_err(|e| e.to_string())
                }
            }),
            tokio::spawn({
                let server = server.clone();
                async move {
                    let answer = server.request(Signal::new("counter.add", by(100))).await;
                    answer
                        .map(|n| n.as_i64().unwrap())
                        .map_err(|e| e.to_string())
                }
            }),
        ];
        let mut asked = Vec::new();
        for _ in 0..3 {
            asked.push(requests.recv().await.unwrap());
        }
        assert_eq!(
            count(&server).await,
            before,
            "the server responds, and nothing has run"
        );
        let mut callers: Vec<_> = asked
            .iter()
            .map(|(request, _)| (request.arguments["by"].as_i64(), request.caller.clone()))
            .collect();
        callers.sort_by_key(|(by, _)| *by);
        let expected = [(1, Caller::Code), (10, Caller::Mcp), (100, Caller::Signal)];
        assert_eq!(callers, expected.map(|(by, caller)| (Some(by), caller)));
        for (request, answer) in asked {
            assert_eq!(request.tool.name, "add");
            answer.send(yes).unwrap();
        }
        for call in calls {
            let answer = call.await.unwrap();
            if yes {
                assert!(answer.is_ok(), "{answer:?}");
            } else {
                assert_eq!(
                    answer.unwrap_err(),
                    "`add` was denied: the approver denied it"
                );
            }
        }
        let more = if yes { 111 } else { 0 };
        assert_eq!(count(&server).await, before + more);
    }
}

/// Changes the data of signals in `prepare_signal`, and has two actions for one signal.
mod changing {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use serde_json::json;
    use skill_agent::prelude::*;

    /// Doubles the amount in its signals.
    #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "safe", actions(Put, Open), hooks)]
    pub struct Safe {
        pub amount: i64,
        pub opened: u32,
    }

    impl Hooks for Safe {
        fn prepare_signal(
            &mut self,
            signal: Signal,
            _: &mut Context<Self>,
        ) -> Result<Signal, HookError> {
            let Some(by) = signal.data()["by"].as_i64() else {
                return Ok(signal);
            };
            Ok(signal.with_data(json!({ "by": by * 2 })))
        }
    }

    /// Add an amount.
    #[action(on("safe.put", "safe.both", priority = 1))]
    pub fn put(safe: &mut Safe, by: i64) -> i64 {
        safe.amount += by;
        safe.amount
    }

    /// Count an opening.
    #[action(on("safe.both"))]
    pub fn open(safe: &mut Safe, by: i64) -> i64 {
        safe.opened += 1;
        by
    }

    agent! {
        /// Has the skill `safe`.
        pub struct Bank {
            name: "bank",
            skills: [Safe],
        }
    }
}
use changing::Bank;

#[timed_test::test]
async fn an_approved_signal_is_prepared_like_one_without_approval() {
    let builder = AgentServer::builder(Bank::new()).guard(ask_always);
    let server = builder
        .approver(async |_: ApprovalRequest| true)
        .start()
        .await
        .unwrap();
    let answer = server.request(Signal::new("safe.put", by(1))).await;
    assert_eq!(answer.unwrap(), 2);
}

#[timed_test::test]
async fn an_approved_signal_with_its_own_id_is_handled_once() {
    let builder = AgentServer::builder(Bank::new()).guard(ask_always);
    let server = builder
        .approver(async |_: ApprovalRequest| true)
        .start()
        .await
        .unwrap();
    let mut put = Signal::new("safe.put", by(1));
    put.stamp("id-1", "/elsewhere", std::time::SystemTime::UNIX_EPOCH);
    for _ in 0..2 {
        assert_eq!(server.request(put.clone()).await.unwrap(), 2);
    }
}

#[timed_test::test]
async fn an_approval_of_one_action_of_a_signal_does_not_approve_another() {
    // One action needs approval, the other is denied.
    let guard = |attempt: &Attempt<'_>| match attempt.tool.name {
        "put" => Decision::Ask,
        _ => Decision::Deny("it stays closed".into()),
    };
    let builder = AgentServer::builder(Bank::new()).guard(guard);
    let server = builder
        .approver(async |_: ApprovalRequest| true)
        .start()
        .await
        .unwrap();
    let error = server
        .request(Signal::new("safe.both", by(1)))
        .await
        .unwrap_err();
    assert_eq!(error.to_string(), "`open` was denied: it stays closed");

    // Both actions need approval, so the approver is asked twice.
    let asked = Arc::new(Mutex::new(Vec::new()));
    let log = asked.clone();
    let approver = move |request: ApprovalRequest| {
        log.lock().unwrap().push(request.tool.name.clone());
        let yes = request.tool.name == "put";
        async move { yes }
    };
    let builder = AgentServer::builder(Bank::new()).guard(ask_always);
    let server = builder.approver(approver).start().await.unwrap();
    let error = server
        .request(Signal::new("safe.both", by(1)))
        .await
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`open` was denied: the approver denied it"
    );
    assert_eq!(*asked.lock().unwrap(), ["put", "open"]);
    assert_eq!(
        state(&server).await["safe"],
        json!({ "amount": 0, "opened": 0 })
    );
}

#[timed_test::test]
async fn an_approver_that_panics_denies() {
    let builder = AgentServer::builder(Clerk::new()).guard(ask_always);
    let approver = async |_: ApprovalRequest| -> bool { panic!("the approver panics") };
    let server = builder.approver(approver).start().await.unwrap();
    let error = server.call(Add { by: 1 }).await.unwrap_err();
    assert!(matches!(error, ServeError::Denied { .. }), "{error:?}");
}

#[timed_test::test]
async fn stopping_does_not_wait_for_an_approver() {
    let (server, mut requests) = asking(ask_always).await;
    let call = tokio::spawn({
        let server = server.clone();
        async move { server.call(Add { by: 1 }).await }
    });
    let (_, _answer) = requests.recv().await.unwrap();
    server.stop().await.unwrap();
    assert!(matches!(
        call.await.unwrap(),
        Err(ServeError::Stopped { .. })
    ));
}

#[timed_test::test]
async fn the_future_of_an_approver_is_dropped_with_its_caller() {
    let (server, mut requests) = asking(ask_always).await;
    let calls = [
        tokio::spawn({
            let server = server.clone();
            async move { server.call(Add { by: 1 }).await.is_ok() }
        }),
        tokio::spawn({
            let server = server.clone();
            async move { server.call_json("add", by(1).to_string()).await.is_ok() }
        }),
        tokio::spawn({
            let server = server.clone();
            async move {
                server
                    .request(Signal::new("counter.add", by(1)))
                    .await
                    .is_ok()
            }
        }),
    ];
    for call in calls {
        let (_, mut answer) = requests.recv().await.unwrap();
        call.abort();
        answer.closed().await;
    }
    assert_eq!(count(&server).await, 0);
}

#[timed_test::test]
async fn a_repeated_command_does_not_ask_the_approver_again() {
    let (server, mut requests) = asking(ask_always).await;
    let mut signal = Signal::new("counter.add", by(10));
    signal.stamp("id-1", "/elsewhere", std::time::SystemTime::UNIX_EPOCH);
    let mut calls = Vec::new();
    let mut asked = Vec::new();
    for round in 0..2 {
        let (one, other, signal) = (server.clone(), server.clone(), signal.clone());
        calls.push(tokio::spawn(async move {
            one.call_with_key("key", Add { by: 1 }).await.unwrap()
        }));
        calls.push(tokio::spawn(async move {
            other.request(signal).await.unwrap().as_i64().unwrap()
        }));
        if round == 0 {
            for _ in 0..2 {
                asked.push(requests.recv().await.unwrap().1);
            }
        }
    }
    // After these answers, the repeated commands have reached the server.
    for _ in 0..3 {
        assert_eq!(count(&server).await, 0);
    }
    for answer in asked {
        answer.send(true).unwrap();
    }
    let mut answers = Vec::new();
    for call in calls {
        answers.push(call.await.unwrap());
    }
    assert_eq!((answers[0], answers[1]), (answers[2], answers[3]));
    assert!(requests.try_recv().is_err());
    assert_eq!(count(&server).await, 11);
}
