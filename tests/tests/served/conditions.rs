//! Conditions of actions, `#[action(when = …)]`: who is refused, and when.

use crate::support::{signal, subscribed, texts};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Decision, Verdict};
use skill_agent::{CallError, SignalError};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;
use tokio::sync::{mpsc, oneshot};

/// Keeps what a customer wants to buy.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "cart",
    actions(Put, Checkout, Charge, QueueCheckout, Deliver, Clear, Burst),
    hooks
)]
pub struct Cart {
    pub items: u32,
}

fn not_empty(cart: &Cart) -> Result<(), &'static str> {
    if cart.items == 0 {
        return Err("the cart is empty");
    }
    Ok(())
}

fn bursts(_: &Cart) -> Result<(), String> {
    panic!("no more room")
}

/// Put items into the cart.
#[action(on("cart.put", "cart.both", "cart.put_deliver", priority = 1))]
pub fn put(cart: &mut Cart, #[arg(default = 1)] items: u32) {
    cart.items += items;
}

/// Buy the items.
#[action(destructive, when = not_empty, on("cart.checkout", "cart.both", "cart.twice", "cart.charge", priority = 0))]
pub fn checkout(cart: &mut Cart, cx: &mut Context<Cart>) -> u32 {
    let items = std::mem::take(&mut cart.items);
    cx.emit(Signal::new("cart.sold", json!(format!("{items} sold"))));
    items
}

/// Charge the customer, whatever is in the cart.
#[action(destructive, open_world, on("cart.charge", priority = -1))]
pub async fn charge(_: &Cart) -> u32 {
    panic!("nothing was bought")
}

/// Queue a checkout.
#[action]
pub fn queue_checkout(_: &Cart, cx: &mut Context<Cart>) {
    cx.run(Instruction::new("checkout", json!({})));
}

/// Deliver the items.
#[action(destructive, open_world, when = not_empty, on("cart.deliver", "cart.twice", "cart.put_deliver", priority = -1))]
pub async fn deliver(cart: &Cart) -> u32 {
    cart.items
}

/// Buy the items after a while.
#[action]
pub async fn clear(_: &Cart, cx: &mut Context<Cart>) {
    cx.then(Checkout {});
}

/// Is never called.
#[action(when = bursts, on("cart.burst"))]
pub fn burst(cart: &mut Cart) {
    cart.items = 0;
}

impl Hooks for Cart {
    fn handle_signal(
        &mut self,
        signal: &Signal,
        cx: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        if signal.ty() != "cart.hook" {
            return Ok(Handled::Ignored);
        }
        cx.run(Instruction::new("checkout", json!({})));
        Ok(Handled::Done)
    }
}

agent! {
    pub struct Shop {
        name: "shop",
        skills: [Cart],
    }
}

const EMPTY: &str = "`checkout` cannot be called now: the cart is empty";

/// The names of the actions that a guard was asked about.
type Asked = Arc<Mutex<Vec<String>>>;

fn noting(asked: &Asked) -> impl Fn(&Attempt<'_>) -> Decision + Send + Sync + 'static {
    let asked = asked.clone();
    move |attempt| {
        asked.lock().unwrap().push(attempt.tool.name.to_owned());
        Decision::Allow
    }
}

async fn noting_shop() -> (AgentServer<Shop>, Asked) {
    let asked = Asked::default();
    let builder = AgentServer::builder(Shop::new()).guard(noting(&asked));
    (builder.start().await.unwrap(), asked)
}

/// The approval requests of a server, each with a sender for the verdict.
type Requests = mpsc::UnboundedReceiver<(ApprovalRequest, oneshot::Sender<bool>)>;

/// A server whose approver decides on every destructive action of a foreign caller and of a signal.
async fn asking_shop() -> (AgentServer<Shop>, Requests) {
    let (tx, requests) = mpsc::unbounded_channel();
    let asks = |attempt: &Attempt<'_>| {
        if attempt.tool.hints.destructive {
            Decision::Ask
        } else {
            Decision::Allow
        }
    };
    let builder = AgentServer::builder(Shop::new()).guard(asks);
    let builder = builder.approver(move |request| {
        let tx = tx.clone();
        async move {
            let (verdict, decided) = oneshot::channel();
            tx.send((request, verdict)).unwrap();
            decided.await.unwrap_or(false)
        }
    });
    (builder.start().await.unwrap(), requests)
}

async fn items(server: &AgentServer<Shop>) -> u32 {
    server.agent().await.unwrap().state().cart.items
}

fn empty(error: &ServeError<CallError>) -> bool {
    matches!(error, ServeError::Action(CallError::NotNow { reason, .. }) if reason == "the cart is empty")
}

#[timed_test::test]
async fn a_call_by_name_is_refused_before_the_guard_is_asked() {
    let (server, asked) = noting_shop().await;
    let model = server.on_behalf_of(ForeignCaller::Model);
    let client = server.on_behalf_of(ForeignCaller::Mcp);
    for action in ["checkout", "deliver"] {
        let errors = [
            server.call_json(action, "{}").await.unwrap_err(),
            model.call_json(action, "{}").await.unwrap_err(),
            client.call_json(action, "{}").await.unwrap_err(),
        ];
        for error in errors {
            assert!(empty(&error), "{error}");
            let text = format!("`{action}` cannot be called now: the cart is empty");
            assert_eq!(error.to_string(), text);
            assert_eq!(error.applied(), skill_agent::Applied::No);
        }
    }
    assert!(asked.lock().unwrap().is_empty());

    model.call_json("put", "{}").await.unwrap();
    assert_eq!(model.call_json("deliver", "{}").await.unwrap(), "1");
    assert_eq!(model.call_json("checkout", "{}").await.unwrap(), "1");
    assert_eq!(*asked.lock().unwrap(), ["put", "deliver", "checkout"]);
}

#[timed_test::test]
async fn the_approver_is_not_asked_about_a_refused_call() {
    let (server, mut requests) = asking_shop().await;
    let model = server.on_behalf_of(ForeignCaller::Model);
    let error = model.call_json("checkout", "{}").await.unwrap_err();
    assert!(empty(&error), "{error}");
    let error = server.request(signal("cart.checkout")).await.unwrap_err();
    assert!(error.to_string().ends_with(EMPTY), "{error}");
    assert!(requests.try_recv().is_err());
}

#[timed_test::test]
async fn what_the_program_calls_by_type_or_queues_is_not_checked() {
    let builder = AgentServer::builder(Shop::new());
    let (builder, mut sold) = subscribed(builder, "cart.sold");
    let server = builder.start().await.unwrap();
    assert_eq!(server.call(Checkout {}).await.unwrap(), 0);
    let model = server.on_behalf_of(ForeignCaller::Mcp);
    server.call(QueueCheckout {}).await.unwrap();
    model.call_json("queue_checkout", "{}").await.unwrap();
    model.call_json("clear", "{}").await.unwrap();
    assert_eq!(server.request(signal("cart.hook")).await.unwrap(), 0);
    assert_eq!(server.call(Deliver {}).await.unwrap(), 0);
    assert_eq!(texts(&mut sold), ["0 sold"; 5]);
}

#[timed_test::test]
async fn the_condition_is_checked_again_after_an_approval() {
    let (server, mut requests) = asking_shop().await;
    for action in ["checkout", "deliver"] {
        for is_empty in [true, false] {
            server.call(Put { items: 1 }).await.unwrap();
            let call = tokio::spawn({
                let model = server.on_behalf_of(ForeignCaller::Model);
                async move { model.call_json(action, "{}").await }
            });
            let (request, verdict) = requests.recv().await.unwrap();
            assert_eq!(request.tool.name, action);
            if is_empty {
                server.set(json!({ "cart": { "items": 0 } })).await.unwrap();
            }
            verdict.send(true).unwrap();
            match call.await.unwrap() {
                Ok(output) => assert_eq!((is_empty, &*output), (false, "1"), "{action}"),
                Err(error) => assert!(is_empty && empty(&error), "{action}: {error}"),
            }
            server.set(json!({ "cart": { "items": 0 } })).await.unwrap();
        }
    }
}

#[timed_test::test]
async fn a_deferred_call_that_is_refused_runs_nothing_and_can_be_decided_again() {
    let builder = AgentServer::builder(Shop::new());
    let builder = builder.approver(async |_: ApprovalRequest| Verdict::Later);
    let server = builder.start().await.unwrap();
    let model = server.on_behalf_of(ForeignCaller::Model);
    server.call(Put { items: 2 }).await.unwrap();
    let pending = model.call_json_with_key("key", "checkout", "{}").await;
    let Err(ServeError::Pending(request)) = pending else {
        panic!("{pending:?}");
    };
    server.set(json!({ "cart": { "items": 0 } })).await.unwrap();
    for _ in 0..2 {
        let error = server.decide((*request).clone(), true).await.unwrap_err();
        assert!(empty(&error), "{error}");
    }
    server.call(Put { items: 3 }).await.unwrap();
    for _ in 0..2 {
        let output = server.decide((*request).clone(), true).await.unwrap();
        assert_eq!(output, "3", "the second decision returns the first output");
    }
    assert_eq!(items(&server).await, 0);
}

#[timed_test::test]
async fn a_refusal_does_not_use_up_a_key_and_a_repeated_call_gets_its_output() {
    let (server, asked) = noting_shop().await;
    let model = server.on_behalf_of(ForeignCaller::Model);
    let call = || model.call_json_with_key("key", "checkout", "{}");
    let error = call().await.unwrap_err();
    assert!(empty(&error), "{error}");
    server.call(Put { items: 2 }).await.unwrap();
    assert_eq!(call().await.unwrap(), "2");
    // the cart is empty now, because the first call emptied it
    assert_eq!(call().await.unwrap(), "2");
    assert_eq!(*asked.lock().unwrap(), ["put", "checkout", "checkout"]);
}

#[timed_test::test]
async fn a_routed_signal_is_refused_as_an_action_that_fails() {
    let (server, asked) = noting_shop().await;
    for (ty, action) in [("cart.checkout", "checkout"), ("cart.deliver", "deliver")] {
        let error = server.request(signal(ty)).await.unwrap_err();
        let text = format!(
            "instruction 1 (`{action}`) failed: `{action}` cannot be called now: the cart is empty"
        );
        assert_eq!(error.to_string(), text);
        let ServeError::Action(SignalError::Run(error)) = error else {
            panic!("{error:?}");
        };
        assert!(matches!(error.source, CallError::NotNow { .. }));
    }
    assert!(asked.lock().unwrap().is_empty());
    server.call(Put { items: 2 }).await.unwrap();
    assert_eq!(server.request(signal("cart.deliver")).await.unwrap(), 2);
    assert_eq!(server.request(signal("cart.checkout")).await.unwrap(), 2);
}

#[timed_test::test]
async fn a_routed_action_sees_what_the_ones_before_it_changed() {
    let (server, _) = noting_shop().await;
    let both = Signal::new("cart.both", json!({}));
    let answer = server.request(both).await.unwrap();
    assert_eq!(answer, json!([null, 1]));
    // the async action starts before the first one runs
    let error = server.request(signal("cart.twice")).await.unwrap_err();
    assert!(error.to_string().ends_with(EMPTY), "{error}");
    server.call(Put { items: 2 }).await.unwrap();
    let answer = server.request(signal("cart.twice")).await.unwrap();
    assert_eq!(answer, json!([2, 2]));
}

#[timed_test::test]
async fn nothing_of_a_signal_runs_or_is_asked_about_if_its_first_action_is_refused() {
    let (server, mut requests) = asking_shop().await;
    let error = server.request(signal("cart.charge")).await.unwrap_err();
    assert!(error.to_string().ends_with(EMPTY), "{error}");
    assert!(requests.try_recv().is_err());
    // the second action is async, and is checked before the approver is asked
    let error = server
        .request(signal("cart.put_deliver"))
        .await
        .unwrap_err();
    assert!(
        error.to_string().contains("`deliver` cannot be called now"),
        "{error}"
    );
    assert!(requests.try_recv().is_err());
}

#[timed_test::test]
async fn a_routed_signal_is_checked_again_after_an_approval() {
    let (server, mut requests) = asking_shop().await;
    for ty in ["cart.checkout", "cart.deliver"] {
        server.call(Put { items: 1 }).await.unwrap();
        let call = tokio::spawn({
            let server = server.clone();
            async move { server.request(signal(ty)).await }
        });
        let (_, verdict) = requests.recv().await.unwrap();
        server.set(json!({ "cart": { "items": 0 } })).await.unwrap();
        verdict.send(true).unwrap();
        let error = call.await.unwrap().unwrap_err();
        assert!(error.to_string().ends_with("the cart is empty"), "{error}");
    }
}

#[timed_test::test]
async fn a_repeated_signal_gets_its_answer_although_the_action_is_refused_now() {
    let (server, asked) = noting_shop().await;
    server.call(Put { items: 2 }).await.unwrap();
    let mut checkout = signal("cart.checkout");
    checkout.stamp("id-1", "/elsewhere", SystemTime::UNIX_EPOCH);
    let client = server.on_behalf_of(ForeignCaller::Mcp);
    for _ in 0..2 {
        let answer: Value = client.request(checkout.clone()).await.unwrap();
        assert_eq!(answer, 2);
    }
    assert_eq!(*asked.lock().unwrap(), ["put", "checkout", "checkout"]);
}

#[timed_test::test]
async fn a_preview_by_name_is_refused_as_the_call_would_be() {
    let (server, _) = noting_shop().await;
    let error = server.preview_json("checkout", "{}").await.unwrap_err();
    assert_eq!(error.to_string(), EMPTY);
    let preview = server.preview(Checkout {}).await.unwrap();
    assert_eq!(preview.output, 0);
    server.call(Put { items: 2 }).await.unwrap();
    let preview = server.preview_json("checkout", "{}").await.unwrap();
    assert_eq!(preview.output, 2);
}

#[timed_test::test]
async fn a_panic_of_a_condition_is_an_error_and_the_server_continues() {
    let (server, asked) = noting_shop().await;
    server.call(Put { items: 2 }).await.unwrap();
    let error = server.call_json("burst", "{}").await.unwrap_err();
    assert_eq!(error.to_string(), "`burst` panicked: no more room");
    let error = server.preview_json("burst", "{}").await.unwrap_err();
    assert!(
        error.to_string().ends_with("panicked: no more room"),
        "{error}"
    );
    let error = server.request(signal("cart.burst")).await.unwrap_err();
    assert!(matches!(error, ServeError::Panicked { .. }), "{error:?}");
    assert_eq!(*asked.lock().unwrap(), ["put"]);
    assert_eq!(items(&server).await, 2);

    let refused = server.clone().erase().refused_tools().await.unwrap();
    let refused: Vec<_> = refused
        .iter()
        .map(|tool| (tool.tool, &*tool.reason))
        .collect();
    let reason = "its condition panicked: no more room";
    assert_eq!(refused, [("burst", reason)]);
}
