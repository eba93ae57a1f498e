//! The server against a plain model and against the pure agent, and what its types promise.

use crate::support::counter::*;
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;
use serde_json::{Value, json};
use skill_agent::prelude::*;

/// What can be asked of one of the two counters.
#[derive(Clone, Debug)]
enum Ask {
    Call(Does, i64),
    CallJson(Does, i64),
    Request(Does, i64),
    Set(i64),
    /// A document whose second part is wrong.
    SetWrong(i64),
    Burst,
    WrongArguments,
    Nobody,
}

#[derive(Clone, Copy, Debug)]
enum Does {
    Add,
    Draw,
}

impl Does {
    fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Draw => "draw",
        }
    }

    /// The model: what it answers, and the counter after it.
    fn on(self, count: i64, by: i64) -> Result<i64, i64> {
        match self {
            Self::Add => Ok(count + by),
            Self::Draw if count >= by => Ok(count - by),
            Self::Draw => Err(by - count),
        }
    }
}

fn asks() -> impl Strategy<Value = Vec<(bool, Ask)>> {
    let does = prop_oneof![Just(Does::Add), Just(Does::Draw)];
    let typed = (does, 0..20_i64);
    let ask = prop_oneof![
        4 => typed.clone().prop_map(|(does, by)| Ask::Call(does, by)),
        4 => typed.clone().prop_map(|(does, by)| Ask::CallJson(does, by)),
        4 => typed.prop_map(|(does, by)| Ask::Request(does, by)),
        1 => (0..50_i64).prop_map(Ask::Set),
        1 => (0..50_i64).prop_map(Ask::SetWrong),
        1 => Just(Ask::Burst),
        1 => Just(Ask::WrongArguments),
        1 => Just(Ask::Nobody),
    ];
    prop::collection::vec((any::<bool>(), ask), 0..30)
}

const NAMES: [&str; 2] = ["counter", "visits"];

/// The name of an action of an instance.
fn of(at: usize, action: &str) -> String {
    match at {
        0 => action.to_owned(),
        _ => format!("visits_{action}"),
    }
}

/// Asks the server; the answer, or the text of the error.
async fn serve(server: &AgentServer<Clerk>, at: usize, ask: &Ask) -> Result<Value, String> {
    fn text<T: Into<Value>, E: ToString>(result: Result<T, E>) -> Result<Value, String> {
        result.map(Into::into).map_err(|error| error.to_string())
    }
    match *ask {
        Ask::Call(Does::Add, by) => match at {
            0 => text(server.call(Add { by }).await),
            _ => text(server.instance(Clerk::visits).call(Add { by }).await),
        },
        Ask::Call(Does::Draw, by) => match at {
            0 => text(server.call(Draw { by }).await),
            _ => text(server.instance(Clerk::visits).call(Draw { by }).await),
        },
        Ask::CallJson(does, by) => {
            let arguments = json!({ "by": by }).to_string();
            let answer = server.call_json(of(at, does.name()), arguments).await;
            text(answer.map(|text| serde_json::from_str::<Value>(&text).unwrap()))
        }
        Ask::Request(does, by) => {
            let ty = format!("{}.{}", NAMES[at], does.name());
            text(server.request(Signal::new(ty, json!({ "by": by }))).await)
        }
        Ask::Set(count) => text(server.set(json!({ NAMES[at]: { "count": count } })).await),
        Ask::SetWrong(count) => {
            let patch = json!({ NAMES[at]: { "count": count }, NAMES[1 - at]: { "count": "x" } });
            text(server.set(patch).await)
        }
        Ask::Burst => text(server.call_json(of(at, "burst"), "{}").await),
        Ask::WrongArguments => text(server.call_json(of(at, "add"), r#"{"by":"1"}"#).await),
        Ask::Nobody => text(
            server
                .request(Signal::new("unhandled.signal", Value::Null))
                .await,
        ),
    }
}

/// The same with the pure agent, as far as it can be asked.
fn command(agent: &mut Clerk, at: usize, ask: &Ask) {
    match *ask {
        Ask::Call(does, by) | Ask::CallJson(does, by) | Ask::Request(does, by) => {
            let arguments = json!({ "by": by }).to_string();
            let _ = agent.call_json(&of(at, does.name()), &arguments);
        }
        Ask::Set(count) => agent
            .set(&json!({ NAMES[at]: { "count": count } }))
            .unwrap(),
        Ask::SetWrong(_) | Ask::Burst | Ask::WrongArguments | Ask::Nobody => {}
    }
}

async fn law(asks: Vec<(bool, Ask)>) -> Result<(), TestCaseError> {
    let server = clerk().await;
    let mut pure = Clerk::new();
    let mut model = [0_i64; 2];
    for (second, ask) in &asks {
        let at = usize::from(*second);
        let answer = serve(&server, at, ask).await;
        command(&mut pure, at, ask);
        match *ask {
            Ask::Call(does, by) | Ask::CallJson(does, by) | Ask::Request(does, by) => {
                match does.on(model[at], by) {
                    Ok(count) => {
                        model[at] = count;
                        prop_assert_eq!(answer, Ok(json!(count)));
                    }
                    Err(missing) => {
                        let says = answer.unwrap_err();
                        prop_assert!(says.contains(&format!("{missing} are missing")), "{}", says);
                    }
                }
            }
            Ask::Set(count) => {
                model[at] = count;
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
    fn the_agent_of_a_server_is_the_pure_agent_that_ran_the_same_commands(asks in asks()) {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(law(asks))?;
    }
}

fn send_sync_clone<T: Send + Sync + Clone + 'static>() {}

fn send<T: Send>(future: T) -> T {
    future
}

#[tokio::test]
async fn a_handle_can_be_shared_and_its_futures_can_be_spawned() {
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
