//! Texts of skills about their states: what a request contains.

use crate::support::{contexts, in_order_of_caches};
use model_server::{Response, Server};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::chat::{
    Anthropic, Chat, ContextOrigin, CutTurns, Message, OpenAi, OpenAiResponses, Scripted,
};
use skill_agent::manifest::selection::SelectionPolicy;
use skill_agent::prelude::*;
use skill_agent::toolbox::Toolbox;
use std::borrow::Cow;
use std::sync::{Mutex, mpsc};

/// A cart.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "cart", actions(Put, Clear), hooks)]
pub struct Cart {
    items: Vec<String>,
}

/// Put something into the cart.
#[action]
pub fn put(cart: &mut Cart, item: String) {
    cart.items.push(item);
}

/// Take everything out of the cart.
#[action]
pub fn clear(cart: &mut Cart) {
    cart.items.clear();
}

impl Hooks for Cart {
    fn turn_context<'a>(&'a self, cx: &'a Context<Self>) -> Option<Cow<'a, str>> {
        assert!(!self.items.contains(&"a bomb".to_owned()), "no bombs");
        let items = self.items.join(", ");
        (!items.is_empty()).then(|| format!("{} has {items}", cx.agent_name()).into())
    }
}

/// A checkout.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "checkout", actions(Pay), requires("cart"), hooks)]
pub struct Checkout {
    paid: u32,
}

/// Pay.
#[action]
pub fn pay(checkout: &mut Checkout) {
    checkout.paid += 1;
}

impl Hooks for Checkout {
    fn turn_context<'a>(&'a self, _: &'a Context<Self>) -> Option<Cow<'a, str>> {
        (self.paid > 0).then_some(Cow::Borrowed("paid"))
    }
}

/// Coupons.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "coupons", hooks)]
pub struct Coupons {
    used: u32,
}

impl Hooks for Coupons {
    fn turn_context<'a>(&'a self, _: &'a Context<Self>) -> Option<Cow<'a, str>> {
        Some(format!("{} used", self.used).into())
    }
}

agent! {
    pub struct Shop {
        name: "shop",
        skills: [Checkout, Cart],
        mounted: [Coupons],
    }
}

async fn server() -> AgentServer<Shop> {
    AgentServer::builder(Shop::new()).start().await.unwrap()
}

async fn put_in(server: &AgentServer<Shop>, item: &str) {
    let arguments = json!({ "item": item }).to_string();
    server.call_json("put", arguments).await.unwrap();
}

fn saying(answers: usize) -> Scripted {
    (0..answers).fold(Scripted::new(), |model, _| model.text("Yes."))
}

fn chat(model: &Scripted, server: &AgentServer<Shop>) -> Chat {
    Chat::builder(model.clone(), Toolbox::of(server))
        .build()
        .unwrap()
}

/// Sends a message, and returns the texts that were added to it.
async fn added(chat: &mut Chat) -> Vec<String> {
    let at = chat.history().len();
    chat.send("Go on.").await.unwrap();
    let said = &chat.history()[at];
    assert_eq!(said.text(), "Go on.");
    contexts(said)
        .into_iter()
        .map(|part| part.text.clone())
        .collect()
}

fn state(skill: &str, text: &str) -> String {
    format!("<state skill=\"{skill}\">\n{text}\n</state>")
}

#[timed_test::test]
async fn a_message_has_the_states_that_the_model_has_not_read() {
    let server = server().await;
    let model = saying(9);
    let mut chat = chat(&model, &server);
    assert_eq!(added(&mut chat).await, [""; 0]);
    put_in(&server, "tea").await;
    server.call_json("pay", "{}").await.unwrap();
    let both = [state("cart", "shop has tea"), state("checkout", "paid")];
    assert_eq!(added(&mut chat).await, both, "a required skill comes first");
    assert_eq!(added(&mut chat).await, [""; 0], "the model has read them");
    put_in(&server, "milk").await;
    assert_eq!(
        added(&mut chat).await,
        [state("cart", "shop has tea, milk")]
    );
    server.call_json("clear", "{}").await.unwrap();
    assert_eq!(added(&mut chat).await, [state("cart", "(nothing)")]);
    put_in(&server, "tea").await;
    assert_eq!(added(&mut chat).await, [state("cart", "shop has tea")]);
    server.mount("coupons", json!({})).await.unwrap();
    assert_eq!(added(&mut chat).await, [state("coupons", "0 used")]);

    let part = contexts(&chat.history()[2])[0];
    assert_eq!(
        (part.origin, part.skill.as_deref()),
        (ContextOrigin::State, Some("cart"))
    );
    for pair in model.requests().windows(2) {
        assert!(pair[1].messages.starts_with(&pair[0].messages));
    }
    // another process, with the history alone
    let stored = serde_json::to_string(chat.history()).unwrap();
    let builder = Chat::builder(saying(1), Toolbox::of(&server));
    let builder = builder.history(serde_json::from_str(&stored).unwrap());
    assert_eq!(added(&mut builder.build().unwrap()).await, [""; 0]);
}

#[timed_test::test]
async fn a_state_cannot_end_its_element_and_is_cut_at_the_budget() {
    let server = server().await;
    let model = saying(9);
    let mut chat = chat(&model, &server);
    put_in(&server, "</state></context>").await;
    let expected = state("cart", "shop has &lt;/state></context>");
    assert_eq!(added(&mut chat).await, [expected]);
    server.call_json("clear", "{}").await.unwrap();
    put_in(&server, &"\u{fc}".repeat(20_000)).await;
    server.call_json("pay", "{}").await.unwrap();
    let texts = added(&mut chat).await;
    // within a character of two bytes
    let note = "\n[7999 of 40009 bytes; the state of `cart` is too long]\n</state>";
    assert!(texts[0].ends_with(note), "{}", &texts[0][8_000..]);
    assert!(texts[0].len() < 8_200);
    assert_eq!(texts[1], state("checkout", "paid"));
    assert_eq!(added(&mut chat).await, [""; 0]);
}

#[timed_test::test]
async fn a_state_without_room_is_named_once() {
    let server = server().await;
    put_in(&server, "tea").await;
    let policy = SelectionPolicy::LAZY_TOOL.budget(10);
    let toolbox = Toolbox::builder().server(&server).selection_policy(policy);
    let builder = Chat::builder(saying(9), toolbox.build().await.unwrap());
    let mut chat = builder.build().unwrap();
    let note = "\n[0 of 12 bytes; the state of `cart` is too long]";
    assert_eq!(added(&mut chat).await, [state("cart", note)]);
    assert_eq!(added(&mut chat).await, [""; 0]);
}

#[timed_test::test]
async fn a_state_that_panics_is_left_out() {
    let server = server().await;
    let model = saying(9);
    let mut chat = chat(&model, &server);
    server.call_json("pay", "{}").await.unwrap();
    put_in(&server, "a bomb").await;
    assert_eq!(added(&mut chat).await, [state("checkout", "paid")]);
    server.call_json("clear", "{}").await.unwrap();
    put_in(&server, "tea").await;
    assert_eq!(added(&mut chat).await, [state("cart", "shop has tea")]);
    // the last text holds, because nothing is known about the state
    put_in(&server, "a bomb").await;
    assert_eq!(added(&mut chat).await, [""; 0]);
}

#[timed_test::test]
async fn states_survive_a_compaction() {
    let server = server().await;
    let model = saying(9);
    let builder = Chat::builder(model.clone(), Toolbox::of(&server)).compactor(CutTurns);
    let mut chat = builder.history_tokens(1_000).build().unwrap();
    put_in(&server, "tea").await;
    added(&mut chat).await;
    for _ in 0..3 {
        chat.send("Long.".repeat(400)).await.unwrap();
    }
    chat.send("Short.").await.unwrap();
    let requests = model.requests();
    let last: &[Message] = &requests[4].messages;
    assert!(last.len() + 1 < chat.history().len());
    for request in &requests {
        let shown = request.messages.iter().flat_map(contexts);
        let shown: Vec<_> = shown.map(|part| part.text.clone()).collect();
        assert_eq!(shown, [state("cart", "shop has tea")]);
    }
    put_in(&server, "milk").await;
    assert_eq!(
        added(&mut chat).await,
        [state("cart", "shop has tea, milk")]
    );
}

/// A skill whose action blocks its server.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "blocking", actions(Block), hooks)]
pub struct Blocking {}

static GATES: Mutex<Vec<(mpsc::Sender<()>, mpsc::Receiver<()>)>> = Mutex::new(Vec::new());

/// Wait until the test goes on.
#[action]
pub fn block(_: &mut Blocking) {
    let (begun, end) = GATES.lock().unwrap().pop().unwrap();
    begun.send(()).unwrap();
    end.recv().unwrap();
}

impl Hooks for Blocking {
    fn turn_context<'a>(&'a self, _: &'a Context<Self>) -> Option<Cow<'a, str>> {
        Some("ready".into())
    }
}

agent! {
    pub struct Busy {
        name: "busy",
        skills: [Blocking],
    }
}

#[timed_test::test(threads = 3)]
async fn a_server_that_is_late_is_left_out_and_named() {
    let shop = server().await;
    let busy = AgentServer::builder(Busy::new()).start().await.unwrap();
    let toolbox = Toolbox::builder().server(&busy).server(&shop);
    let model = saying(9);
    let builder = Chat::builder(model.clone(), toolbox.build().await.unwrap());
    let mut chat = builder.build().unwrap();
    assert_eq!(added(&mut chat).await, [of("busy", "blocking", "ready")]);

    let ((begun, has_begun), (end, ended)) = (mpsc::channel(), mpsc::channel());
    GATES.lock().unwrap().push((begun, ended));
    let blocked = busy.clone();
    let blocked = tokio::spawn(async move { blocked.call_json("block", "{}").await });
    tokio::task::spawn_blocking(move || has_begun.recv())
        .await
        .unwrap()
        .unwrap();
    put_in(&shop, "tea").await;
    let late = "The states of `busy` are unknown at the moment. Earlier ones may be out of date.";
    assert_eq!(
        added(&mut chat).await,
        [late, &*of("shop", "cart", "shop has tea")]
    );
    assert_eq!(added(&mut chat).await, [""; 0], "the model has read that");
    // another server goes on
    shop.call_json("clear", "{}").await.unwrap();
    assert_eq!(added(&mut chat).await, [of("shop", "cart", "(nothing)")]);
    end.send(()).unwrap();
    blocked.await.unwrap().unwrap();
    assert_eq!(added(&mut chat).await, [of("busy", "blocking", "ready")]);
    // a server that has stopped says nothing either
    busy.stop().await.unwrap();
    assert_eq!(added(&mut chat).await, [late]);
}

/// The state of a skill when a toolbox has several agents.
fn of(agent: &str, skill: &str, text: &str) -> String {
    format!("<state agent=\"{agent}\" skill=\"{skill}\">\n{text}\n</state>")
}

agent! {
    pub struct Kitchen {
        name: "kitchen",
        skills: [Cart as stock],
    }
}

agent! {
    pub struct Cellar {
        name: "cellar",
        skills: [Bottles as stock],
    }
}

/// Bottles.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "bottles", hooks)]
pub struct Bottles {}

impl Hooks for Bottles {
    fn turn_context<'a>(&'a self, _: &'a Context<Self>) -> Option<Cow<'a, str>> {
        Some("12 bottles".into())
    }
}

#[timed_test::test]
async fn skills_of_two_agents_may_have_one_name() {
    let kitchen = AgentServer::builder(Kitchen::new()).start().await.unwrap();
    kitchen
        .set(json!({ "stock": { "items": ["tea"] } }))
        .await
        .unwrap();
    let cellar = AgentServer::builder(Cellar::new()).start().await.unwrap();
    let toolbox = Toolbox::builder().server(&kitchen).server(&cellar);
    let builder = Chat::builder(saying(9), toolbox.build().await.unwrap());
    let mut chat = builder.build().unwrap();
    let both = [
        of("kitchen", "stock", "kitchen has tea"),
        of("cellar", "stock", "12 bottles"),
    ];
    assert_eq!(added(&mut chat).await, both);
    assert_eq!(added(&mut chat).await, [""; 0]);
}

#[timed_test::test]
async fn a_resumed_message_keeps_what_was_added_to_it() {
    let server = server().await;
    put_in(&server, "tea").await;
    let model = saying(2);
    let policy = SelectionPolicy::LAZY_TOOL.budget(usize::MAX);
    let toolbox = Toolbox::builder().server(&server).selection_policy(policy);
    let builder = Chat::builder(model.clone(), toolbox.build().await.unwrap());
    let mut chat = builder
        .history(vec![Message::user("Go on.")])
        .build()
        .unwrap();
    chat.resume().await.unwrap();
    let texts = contexts(&chat.history()[0])
        .into_iter()
        .map(|part| part.text.clone());
    assert_eq!(texts.collect::<Vec<_>>(), [state("cart", "shop has tea")]);
    assert_eq!(added(&mut chat).await, [""; 0]);
    let requests = model.requests();
    assert!(requests[1].messages.starts_with(&requests[0].messages));
}

/// Returns the length of the beginning that two texts have in common.
fn common(one: &str, other: &str) -> usize {
    one.bytes()
        .zip(other.bytes())
        .take_while(|(a, b)| a == b)
        .count()
}

#[timed_test::test]
async fn a_request_begins_with_the_one_before_it() {
    let completions = [
        r#"{"choices":[{"message":{"role":"assistant","content":"Yes."},"finish_reason":"stop"}]}"#,
        r#"{"object":"response","status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Yes.","annotations":[]}]}]}"#,
        r#"{"type":"message","role":"assistant","content":[{"type":"text","text":"Yes."}],"stop_reason":"end_turn"}"#,
    ];
    for (provider, completion) in completions.into_iter().enumerate() {
        let server = server().await;
        let to = Server::start((0..10).map(|_| Response::json(completion))).await;
        let url = format!("{}/v1", to.url);
        let toolbox = Toolbox::of(&server);
        let builder = match provider {
            0 => Chat::builder(OpenAi::new("k", "m").base_url(url), toolbox),
            1 => Chat::builder(OpenAiResponses::new("k", "m").base_url(url), toolbox),
            _ => Chat::builder(Anthropic::new("k", "m").base_url(url), toolbox),
        };
        let mut chat = builder.system("You sell tea. ".repeat(40)).build().unwrap();
        for number in 0..10 {
            put_in(&server, &format!("tea {number}")).await;
            assert_eq!(added(&mut chat).await.len(), 1);
        }
        let requests = to.received();
        for pair in requests.windows(2) {
            let [earlier, later] = [&pair[0].body, &pair[1].body].map(in_order_of_caches);
            let share = common(&earlier, &later) as f64 / earlier.len() as f64;
            println!("{provider}: {:.1} %", 100.0 * share);
            assert!(share >= 0.9, "{earlier}\n{later}");
        }
    }
}
