//! Code that the server waits for, and that waits for the server: an error at once instead of a wait without end.

use crate::support::{seconds, signal};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::core::HookError;
use skill_agent::prelude::*;
use skill_agent::server::{Attempt, Deadlock, Decision, OutboundSignal, PublishFuture, SignalSink};
use skill_agent::testing::ManualClock;
use skill_agent::{Applied, SendError};
use std::collections::BTreeMap;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context as Task, Poll, Wake, Waker};
use std::thread::{self, Thread};
use tokio::sync::mpsc;

/// The servers that code asks, by a name that is unique among all tests.
static SERVERS: Mutex<BTreeMap<String, AgentServer<Office>>> = Mutex::new(BTreeMap::new());

fn server(name: &str) -> AgentServer<Office> {
    SERVERS.lock().unwrap()[name].clone()
}

/// Makes a server known to the code of all servers until it is dropped.
struct Known(String, AgentServer<Office>);

impl Known {
    fn new(name: &str, server: AgentServer<Office>) -> Self {
        let before = SERVERS
            .lock()
            .unwrap()
            .insert(name.to_owned(), server.clone());
        assert!(before.is_none(), "two tests have a server `{name}`");
        Self(name.to_owned(), server)
    }

    async fn start(name: &str) -> Self {
        Self::new(
            name,
            AgentServer::builder(Office::new()).start().await.unwrap(),
        )
    }

    async fn ask(&self, how: &str) -> String {
        let (server, how) = (self.0.clone(), how.to_owned());
        self.1.call(Ask { server, how }).await.unwrap()
    }
}

impl Drop for Known {
    fn drop(&mut self) {
        SERVERS.lock().unwrap().remove(&self.0);
    }
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// Blocks the thread until a future is ready.
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    loop {
        match future.as_mut().poll(&mut Task::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => thread::park(),
        }
    }
}

/// How a request ended.
fn ended<T, E: std::fmt::Debug>(result: Result<T, ServeError<E>>) -> String {
    match result {
        Ok(_) => "answered".to_owned(),
        Err(ServeError::Deadlock(deadlock)) => {
            let error = ServeError::<E>::Deadlock(deadlock);
            assert_eq!(error.applied(), Applied::No);
            format!("{deadlock:?}")
        }
        Err(error) => format!("{error:?}"),
    }
}

/// Makes a request to a server.
async fn request(server: &AgentServer<Office>, how: &str) -> String {
    match how {
        "call" => ended(server.call(Count {}).await),
        "call within" => ended(server.within(seconds(1)).call(Count {}).await),
        "call with key" => ended(server.call_with_key("other", Count {}).await),
        "call of a model" => ended(
            server
                .on_behalf_of(ForeignCaller::Model)
                .call(Count {})
                .await,
        ),
        "json" => ended(server.call_json("count", "{}").await),
        "signal" => ended(server.request(signal("desk.count")).await),
        "agent" => ended(server.agent().await),
        "set" => ended(server.set(json!({})).await),
        "preview" => ended(server.preview(Count {}).await),
        other => panic!("no request `{other}`"),
    }
}

const REQUESTS: [&str; 9] = [
    "call",
    "call within",
    "call with key",
    "call of a model",
    "json",
    "signal",
    "agent",
    "set",
    "preview",
];

/// Asks servers.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "desk",
    actions(Count, Ask, AskInPlace, AskLater, Fill, Fetch, Repeat, Publish),
    hooks
)]
pub struct Desk {
    pub count: u32,
    pub heard: String,
}

/// Count one.
#[action(on("desk.count"))]
pub fn count(desk: &mut Desk) -> u32 {
    desk.count += 1;
    desk.count
}

/// Make a request, and block the thread until it is answered.
#[action]
pub fn ask(_: &Desk, server: String, how: String) -> String {
    block_on(request(&self::server(&server), &how))
}

/// Like `ask`, by the runtime.
#[action]
pub fn ask_in_place(_: &Desk, server: String, how: String) -> String {
    let asked = async { request(&self::server(&server), &how).await };
    tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(asked))
}

/// Make a request in a task that outlives the action.
#[action]
pub fn ask_later(_: &Desk, server: String) {
    let server = self::server(&server);
    tokio::spawn(async move { server.call(Count {}).await });
}

/// Send signals until the mailbox is full, and return the error.
#[action]
pub fn fill(_: &Desk, server: String) -> String {
    let server = self::server(&server);
    loop {
        if let Err(error) = block_on(server.send(signal("desk.count"))) {
            return format!("{error:?}");
        }
    }
}

/// Make a request from an async action.
#[action]
pub async fn fetch(_: &Desk, _: &mut Context<Desk>, server: String, how: String) -> String {
    request(&self::server(&server), &how).await
}

/// Repeat the idempotency key of the action, typed, by name, or that of the signal.
#[action(on("desk.repeat"))]
pub async fn repeat(_: &Desk, cx: &mut Context<Desk>, server: String, how: String) -> String {
    let asked = self::server(&server);
    let key = cx.idempotency_key().unwrap_or_default().to_owned();
    let (again, nested) = (how.clone(), "call".to_owned());
    let action = |how| Repeat {
        server: server.clone(),
        how,
    };
    match how.as_str() {
        "typed" => ended(asked.call_with_key(key, action(again)).await),
        "by name" => {
            let arguments = json!({ "server": server, "how": how }).to_string();
            ended(asked.call_json_with_key(key, "repeat", arguments).await)
        }
        "signal" => ended(asked.request(repeated(&server)).await),
        "another key" => ended(asked.call_with_key("another", action(nested)).await),
        "another action" => ended(asked.call_with_key(key, Count {}).await),
        "no key" => ended(asked.call(action(nested)).await),
        how => request(&asked, how).await,
    }
}

/// The signal with a key that `repeat` is routed from.
fn repeated(server: &str) -> Signal {
    let mut signal = Signal::new("desk.repeat", json!({ "server": server, "how": "signal" }));
    signal.stamp("s-1", "/test", std::time::SystemTime::UNIX_EPOCH);
    signal
}

/// Emit a signal.
#[action]
pub fn publish(_: &Desk, cx: &mut Context<Desk>) {
    cx.emit(signal("desk.published"));
}

impl Hooks for Desk {
    fn handle_signal(
        &mut self,
        signal: &Signal,
        _: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        let Some(name) = signal.data()["server"].as_str() else {
            return Ok(Handled::Ignored);
        };
        self.heard = block_on(request(&server(name), "call"));
        Ok(Handled::Done)
    }
}

agent! {
    /// Has a desk.
    #[derive(Debug, PartialEq)]
    pub struct Office {
        name: "office",
        skills: [Desk],
    }
}

#[timed_test::test(threads = 2)]
async fn a_pure_action_that_waits_for_its_own_server_gets_an_error_at_once() {
    let known = Known::start("pure action").await;
    for how in REQUESTS {
        assert_eq!(known.ask(how).await, "Owner", "{how}");
        let (server, how) = (known.0.clone(), how.to_owned());
        let in_place = known.1.call(AskInPlace { server, how }).await;
        assert_eq!(in_place.unwrap(), "Owner");
    }
    // Nothing of the requests has run.
    assert_eq!(known.1.agent().await.unwrap().state().desk.count, 0);
}

#[timed_test::test]
async fn a_hook_or_a_guard_that_waits_for_its_own_server_gets_an_error_at_once() {
    let guard = |attempt: &Attempt<'_>| match attempt.tool.name {
        "publish" => Decision::Deny(block_on(request(&server("hook"), "call")).into()),
        _ => Decision::Allow,
    };
    let builder = AgentServer::builder(Office::new()).guard(guard);
    let known = Known::new("hook", builder.start().await.unwrap());
    let heard = Signal::new("desk.heard", json!({ "server": known.0 }));
    known.1.request(heard).await.unwrap();
    assert_eq!(known.1.agent().await.unwrap().state().desk.heard, "Owner");
    let denied = known.1.call(Publish {}).await.unwrap_err();
    assert!(
        matches!(&denied, ServeError::Denied { reason, .. } if reason == "Owner"),
        "{denied:?}"
    );
}

#[timed_test::test]
async fn an_action_that_waits_for_room_in_its_own_mailbox_gets_an_error_at_once() {
    let builder = AgentServer::builder(Office::new()).mailbox_capacity(3);
    let known = Known::new("full", builder.start().await.unwrap());
    let server = known.0.clone();
    let error = known.1.call(Fill { server }).await.unwrap();
    assert_eq!(error, format!("{:?}", SendError::Deadlock(Deadlock::Owner)));
    while known.1.agent().await.unwrap().state().desk.count < 3 {}
}

/// A sink that makes a request, and reports how it ended.
struct Asking(mpsc::UnboundedSender<String>);

impl SignalSink for Asking {
    fn publish(&self, _: OutboundSignal) -> PublishFuture<'_> {
        Box::pin(async {
            let ended = request(&server("sink"), "call").await;
            self.0.send(ended).unwrap();
            Ok(())
        })
    }
}

#[timed_test::test]
async fn a_signal_sink_that_waits_for_its_own_server_gets_an_error_at_once() {
    let (ended, mut reports) = mpsc::unbounded_channel();
    let builder = AgentServer::builder(Office::new()).signal_sink(Asking(ended));
    let known = Known::new("sink", builder.start().await.unwrap());
    known.1.call(Publish {}).await.unwrap();
    assert_eq!(reports.recv().await.unwrap(), "SignalSink");
}

#[timed_test::test]
async fn an_async_action_that_repeats_its_own_key_gets_an_error_at_once() {
    let builder = AgentServer::builder(Office::new()).clock(ManualClock::new());
    let known = Known::new("key", builder.start().await.unwrap());
    let action = |how: &str| Repeat {
        server: known.0.clone(),
        how: how.to_owned(),
    };
    for how in ["typed", "by name"] {
        let ended = known.1.call_with_key(how, action(how)).await;
        assert_eq!(ended.unwrap(), "Key", "{how}");
    }
    let by_name = json!({ "server": known.0, "how": "typed" }).to_string();
    let ended = known.1.call_json_with_key("text", "repeat", by_name).await;
    assert_eq!(ended.unwrap(), "\"Key\"");
    let ended = known.1.request(repeated(&known.0)).await.unwrap();
    assert_eq!(ended, json!("Key"));
}

#[timed_test::test]
async fn every_other_request_of_an_async_action_to_its_own_server_is_answered() {
    let known = Known::start("async").await;
    for how in REQUESTS {
        let (server, how) = (known.0.clone(), how.to_owned());
        assert_eq!(
            known.1.call(Fetch { server, how }).await.unwrap(),
            "answered"
        );
    }
    let others = ["another key", "another action", "no key"];
    for how in others.into_iter().chain(REQUESTS) {
        let server = known.0.clone();
        let action = Repeat {
            server,
            how: how.to_owned(),
        };
        let ended = known.1.call_with_key(how, action).await;
        assert_eq!(ended.unwrap(), "answered", "{how}");
    }
}

#[timed_test::test(threads = 2)]
async fn a_request_to_another_server_or_from_another_task_is_answered() {
    let (one, other) = (Known::start("one").await, Known::start("two").await);
    for how in REQUESTS {
        let (server, how) = (other.0.clone(), how.to_owned());
        // Not `Ask`: a thread that blocks may hold the task of the other server.
        let ended = one.1.call(AskInPlace { server, how }).await;
        assert_eq!(ended.unwrap(), "answered");
    }
    let server = one.0.clone();
    one.1.call(AskLater { server }).await.unwrap();
    while one.1.agent().await.unwrap().state().desk.count == 0 {}
}
