//! Compares the server with a simple model and with the pure agent, and checks the auto traits of its types.

use crate::support::counter::*;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use serde_json::{Value, json};
use skill_agent::prelude::*;

/// An operation on one of the two counters.
#[derive(Clone, Debug)]
enum Operation {
    Call(Change, i64),
    CallJson(Change, i64),
    Request(Change, i64),
    Set(i64),
    /// A patch whose second part is invalid.
    SetInvalid(i64),
    Crash,
    InvalidArguments,
    Unhandled,
}

#[derive(Clone, Copy, Debug)]
enum Change {
    Add,
    Subtract,
}

impl Change {
    fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Subtract => "subtract",
        }
    }

    /// The model: returns the output and the new count, or the missing amount.
    fn on(self, count: i64, by: i64) -> Result<i64, i64> {
        match self {
            Self::Add => Ok(count + by),
            Self::Subtract if count >= by => Ok(count - by),
            Self::Subtract => Err(by - count),
        }
    }
}

fn operations() -> impl Strategy<Value = Vec<(bool, Operation)>> {
    let change = prop_oneof![Just(Change::Add), Just(Change::Subtract)];
    let typed = (change, 0..20_i64);
    let operation = prop_oneof![
        4 => typed.clone().prop_map(|(change, by)| Operation::Call(change, by)),
        4 => typed.clone().prop_map(|(change, by)| Operation::CallJson(change, by)),
        4 => typed.prop_map(|(change, by)| Operation::Request(change, by)),
        1 => (0..50_i64).prop_map(Operation::Set),
        1 => (0..50_i64).prop_map(Operation::SetInvalid),
        1 => Just(Operation::Crash),
        1 => Just(Operation::InvalidArguments),
        1 => Just(Operation::Unhandled),
    ];
    prop::collection::vec((any::<bool>(), operation), 0..30)
}

const NAMES: [&str; 2] = ["counter", "visits"];

/// The tool name of an action of an instance.
fn tool_name(instance: usize, action: &str) -> String {
    match instance {
        0 => action.to_owned(),
        _ => format!("visits_{action}"),
    }
}

/// Runs the operation on the server. Returns the output or the error message.
async fn run_on_server(
    server: &AgentServer<Clerk>,
    instance: usize,
    operation: &Operation,
) -> Result<Value, String> {
    fn text<T: Into<Value>, E: ToString>(result: Result<T, E>) -> Result<Value, String> {
        result.map(Into::into).map_err(|error| error.to_string())
    }
    match *operation {
        Operation::Call(Change::Add, by) => match instance {
            0 => text(server.call(Add { by }).await),
            _ => text(server.instance(Clerk::visits).call(Add { by }).await),
        },
        Operation::Call(Change::Subtract, by) => match instance {
            0 => text(server.call(Subtract { by }).await),
            _ => text(server.instance(Clerk::visits).call(Subtract { by }).await),
        },
        Operation::CallJson(change, by) => {
            let arguments = json!({ "by": by }).to_string();
            let answer = server
                .call_json(tool_name(instance, change.name()), arguments)
                .await;
            text(answer.map(|text| serde_json::from_str::<Value>(&text).unwrap()))
        }
        Operation::Request(change, by) => {
            let ty = format!("{}.{}", NAMES[instance], change.name());
            text(server.request(Signal::new(ty, json!({ "by": by }))).await)
        }
        Operation::Set(count) => text(
            server
                .set(json!({ NAMES[instance]: { "count": count } }))
                .await,
        ),
        Operation::SetInvalid(count) => {
            let patch = json!({ NAMES[instance]: { "count": count }, NAMES[1 - instance]: { "count": "x" } });
            text(server.set(patch).await)
        }
        Operation::Crash => text(server.call_json(tool_name(instance, "crash"), "{}").await),
        Operation::InvalidArguments => text(
            server
                .call_json(tool_name(instance, "add"), r#"{"by":"1"}"#)
                .await,
        ),
        Operation::Unhandled => text(
            server
                .request(Signal::new("nobody.handles", Value::Null))
                .await,
        ),
    }
}

/// Runs the operation on the pure agent, if it has an equivalent.
fn run_on_pure_agent(agent: &mut Clerk, instance: usize, operation: &Operation) {
    match *operation {
        Operation::Call(change, by)
        | Operation::CallJson(change, by)
        | Operation::Request(change, by) => {
            let arguments = json!({ "by": by }).to_string();
            let _ = agent.call_json(&tool_name(instance, change.name()), &arguments);
        }
        Operation::Set(count) => agent
            .set(&json!({ NAMES[instance]: { "count": count } }))
            .unwrap(),
        Operation::SetInvalid(_)
        | Operation::Crash
        | Operation::InvalidArguments
        | Operation::Unhandled => {}
    }
}

async fn check_against_model(operations: Vec<(bool, Operation)>) -> Result<(), TestCaseError> {
    let server = clerk().await;
    let mut pure = Clerk::new();
    let mut model = [0_i64; 2];
    for (second, operation) in &operations {
        let instance = usize::from(*second);
        let answer = run_on_server(&server, instance, operation).await;
        run_on_pure_agent(&mut pure, instance, operation);
        match *operation {
            Operation::Call(change, by)
            | Operation::CallJson(change, by)
            | Operation::Request(change, by) => match change.on(model[instance], by) {
                Ok(count) => {
                    model[instance] = count;
                    prop_assert_eq!(answer, Ok(json!(count)));
                }
                Err(missing) => {
                    let message = answer.unwrap_err();
                    prop_assert!(
                        message.contains(&format!("{missing} are missing")),
                        "{}",
                        message
                    );
                }
            },
            Operation::Set(count) => {
                model[instance] = count;
                prop_assert_eq!(answer, Ok(Value::Null));
            }
            _ => prop_assert!(answer.is_err()),
        }
        let agent = server.agent().await.unwrap();
        prop_assert_eq!(
            [agent.state().counter.count, agent.state().visits.count],
            model
        );
        prop_assert_eq!(&agent, &pure);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_server_reaches_the_same_state_as_the_pure_agent(operations in operations()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(check_against_model(operations))?;
    }
}

fn send_sync_clone<T: Send + Sync + Clone + 'static>() {}

fn send<T: Send>(future: T) -> T {
    future
}

#[timed_test::test]
async fn handles_are_send_sync_and_clone_and_their_futures_are_send() {
    send_sync_clone::<AgentServer<Clerk>>();
    fn is_send<T: Send>() {}
    is_send::<Subscription>();
    let server = clerk().await;
    send(server.call(Add { by: 1 })).await.unwrap();
    send(server.instance(Clerk::visits).call(Add { by: 1 }))
        .await
        .unwrap();
    send(server.call_with_key("k", Add { by: 1 }))
        .await
        .unwrap();
    send(server.call_json("add", r#"{"by":1}"#)).await.unwrap();
    send(server.request(Signal::new("counter.add", json!({ "by": 1 }))))
        .await
        .unwrap();
    send(server.send(Signal::new("counter.add", json!({ "by": 1 }))))
        .await
        .unwrap();
    send(server.set(json!({}))).await.unwrap();
    send(server.agent()).await.unwrap();
    send(server.stop()).await.unwrap();
    send(server.closed()).await;
}
