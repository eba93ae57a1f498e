//! The routes over the loopback address.

use crate::client::{Response, Service, turn};
use crate::gated::gated;
use serde_json::{Value, json};
use skill_agent::chat::{CallPart, ModelError, ModelEvent, Scripted};
use skill_agent::models::{Finish, ToolCall};

fn noting() -> Scripted {
    Scripted::new()
        .calls([("add_note", json!({ "text": "Buy milk." }))])
        .text("I noted it.")
}

fn clearing() -> Scripted {
    Scripted::new()
        .calls([("clear_notes", json!({}))])
        .text("As you wish.")
}

fn event(name: &str, data: impl Into<Value>) -> (String, Value) {
    (name.to_owned(), data.into())
}

fn step() -> (String, Value) {
    event("step", Value::Null)
}

/// Reads events until the texts among them are `text`.
async fn read_text(events: &mut Response, text: &str) {
    let mut read = String::new();
    while read != text {
        let (_, name, data) = events.next().await.unwrap();
        if name == "text" {
            read += data.as_str().unwrap();
        }
    }
}

#[timed_test::test]
async fn a_turn_comes_as_events_and_stays_as_a_history() {
    let service = Service::start(noting()).await;
    let chat = service.chat();
    let call = json!({ "call": "call_1_1_0", "tool": "add_note" });
    let shown = [
        event("said", "Note milk."),
        event("calling", call),
        event("called", json!({ "call": "call_1_1_0", "result": "done" })),
        step(),
        event("text", "I noted it."),
        step(),
        event("done", "answered"),
    ];
    assert_eq!(turn(&chat, "Note milk.").await, shown);

    let page = chat.page().await;
    assert_eq!(page["status"], "idle");
    let numbered = chat.events().await.until("done").await;
    assert_eq!(page["last_event"], numbered.last().unwrap().0);
    let history: Vec<(String, Value)> = serde_json::from_value(page["events"].clone()).unwrap();
    let without_steps = |events: &[(String, Value)]| -> Vec<_> {
        let events = events.iter().filter(|(name, _)| name != "step");
        events.cloned().collect()
    };
    assert_eq!(without_steps(&history), without_steps(&shown[..6]));
    let listed = json!([{ "chat": chat.id, "title": "Note milk.", "turns": 1, "status": "idle" }]);
    assert_eq!(chat.list().await, listed);
}

#[timed_test::test]
async fn a_turn_goes_on_without_a_reader() {
    let (model, gate) = gated();
    let service = Service::start(model).await;
    let chat = service.chat();
    assert_eq!(chat.say("Hello.").await, 201);
    let mut events = chat.events().await;
    assert!(events.head.contains("content-type: text/event-stream"));
    gate.text("Let");
    read_text(&mut events, "Let").await;
    drop(events);
    gate.text(" me");
    gate.finish();
    let events = chat.events().await.turn().await;
    assert_eq!(events.last(), Some(&event("done", "answered")));
    assert_eq!(chat.page().await["events"][2], json!(["text", "Let me"]));
}

#[timed_test::test]
async fn a_reader_that_connects_again_gets_nothing_twice() {
    let (model, gate) = gated();
    let service = Service::start(model).await;
    let chat = service.chat();
    chat.say("Count.").await;
    let mut seen = chat.events().await.until("said").await;
    let mut counted = String::new();
    for count in 0..100 {
        let last = seen.last().unwrap().0;
        gate.text(&format!("{count} "));
        counted += &format!("{count} ");
        seen.push(chat.events_after(last).await.next().await.unwrap());
    }
    gate.finish();
    let last = seen.last().unwrap().0;
    seen.extend(chat.events_after(last).await.until("done").await);
    assert!(seen.is_sorted_by(|one, next| one.0 < next.0));
    let texts = seen.iter().filter(|(_, name, _)| name == "text");
    let read: String = texts.map(|(.., data)| data.as_str().unwrap()).collect();
    assert_eq!(read, counted);
    assert_eq!(chat.events().await.until("done").await, seen);
}

#[timed_test::test]
async fn two_tabs_read_the_same_turn() {
    let (model, gate) = gated();
    let service = Service::start(model).await;
    let chat = service.chat();
    chat.say("Hello.").await;
    let mut first = chat.events().await;
    gate.text("Let");
    read_text(&mut first, "Let").await;
    let page = chat.page().await;
    assert_eq!(page["status"], "running");
    assert_eq!(page["events"], json!([["said", "Hello."], ["step", null]]));
    // the second tab shows the history, and then the events behind it
    let mut second = chat
        .events_after(page["last_event"].as_u64().unwrap())
        .await;
    gate.text(" me");
    gate.finish();
    read_text(&mut second, "Let me").await;
    assert_eq!(
        first.until("done").await.last(),
        second.until("done").await.last()
    );
    // both go on with the next turn
    gate.text("Yes.");
    gate.finish();
    assert_eq!(chat.say("And?").await, 201);
    assert_eq!(first.until("done").await, second.until("done").await);
}

#[timed_test::test]
async fn a_call_waits_for_the_person() {
    let service = Service::start(clearing()).await;
    let chat = service.chat();
    let asked = turn(&chat, "Clear them.").await;
    let waiting = json!({ "call": "call_1_1_0", "tool": "clear_notes", "arguments": {} });
    let approval = event("approval", waiting.clone());
    assert!(asked.contains(&approval), "{asked:?}");
    assert_eq!(asked.last(), Some(&event("done", "approval")));
    let page = chat.page().await;
    assert_eq!(page["status"], "waiting");
    let events = page["events"].as_array().unwrap();
    assert_eq!(events.last(), Some(&json!(["approval", waiting])));

    assert_eq!(chat.say("And bread.").await, 409);
    let refused = chat.decide("call_9_9_9", "approve").await;
    assert_eq!(refused.status, 409);
    let why = "no call with this id waits for approval";
    assert_eq!(refused.text().await, why);

    assert_eq!(chat.decide("call_1_1_0", "approve").await.status, 202);
    let decided = chat.events().await.turn().await;
    let called = json!({ "call": "call_1_1_0", "result": "done" });
    assert!(decided.contains(&event("called", called)), "{decided:?}");
    assert_eq!(decided.last(), Some(&event("done", "answered")));
    // another tab has the same button
    assert_eq!(chat.decide("call_1_1_0", "approve").await.status, 409);
}

#[timed_test::test]
async fn a_denied_call_is_not_run() {
    let service = Service::start(clearing()).await;
    let chat = service.chat();
    turn(&chat, "Clear them.").await;
    assert_eq!(chat.decide("call_1_1_0", "deny").await.status, 202);
    let events = chat.events().await.turn().await;
    let called = json!({ "call": "call_1_1_0", "result": "denied" });
    assert!(events.contains(&event("called", called)), "{events:?}");
}

#[timed_test::test]
async fn a_message_enters_the_running_turn() {
    let (model, mut gate) = gated();
    let service = Service::start(model).await;
    let chat = service.chat();
    assert_eq!(chat.say("Note milk.").await, 201);
    assert_eq!(gate.request().await, ["Note milk."]);
    assert_eq!(chat.say("And bread.").await, 202);
    assert_eq!(chat.page().await["queued"], json!(["And bread."]));
    let call = ToolCall::new("add_note", json!({ "text": "Milk." }).to_string());
    gate.send(ModelEvent::Part(CallPart::new(call).into()));
    gate.send(ModelEvent::Finish(Finish::Calls));
    assert_eq!(gate.request().await[3..], ["And bread."]);
    gate.text("I noted it.");
    gate.finish();
    let events = chat.events().await.turn().await;
    let said = events.iter().filter(|(name, _)| name == "said");
    assert_eq!(said.count(), 2, "{events:?}");
    let page = chat.page().await;
    assert_eq!(
        (&page["queued"], &page["status"]),
        (&json!([]), &json!("idle"))
    );
    assert_eq!(chat.list().await[0]["turns"], 1);
}

#[timed_test::test]
async fn a_cancelled_turn_returns_what_it_did_not_send_and_goes_on_later() {
    let (model, gate) = gated();
    let service = Service::start(model).await;
    let chat = service.chat();
    chat.say("Hello.").await;
    let mut events = chat.events().await;
    gate.text("Let");
    read_text(&mut events, "Let").await;
    assert_eq!(chat.post("/resume", "").await.status, 409);
    assert_eq!(chat.decide("call_1_1_0", "deny").await.status, 409);
    assert_eq!(chat.say("Are you there?").await, 202);
    let unsent = chat.post("/cancel", "").await.json().await;
    assert_eq!(unsent, json!(["Are you there?"]));
    let cancelled = events.until("done").await;
    assert_eq!(cancelled.last().unwrap().2, "cancelled");
    assert_eq!(chat.page().await["status"], "interrupted");

    gate.text("Hello, Ann.");
    gate.finish();
    assert_eq!(chat.post("/resume", "").await.status, 202);
    read_text(&mut events, "Hello, Ann.").await;
    events.until("done").await;
    assert_eq!(
        chat.page().await["events"],
        json!([
            ["said", "Hello."],
            ["step", null],
            ["text", "Hello, Ann."],
            ["step", null]
        ])
    );
    assert_eq!(chat.post("/resume", "").await.status, 409);
}

#[timed_test::test]
async fn conversations_do_not_wait_for_each_other() {
    let (model, mut gate) = gated();
    let service = Service::start(model).await;
    let (one, other) = (service.chat(), service.chat());
    one.say("Hello.").await;
    gate.request().await;
    assert_eq!(other.say("Hello!").await, 201);
    assert_eq!(gate.request().await, ["Hello!"]);
}

#[timed_test::test]
async fn a_conversation_is_deleted() {
    let service = Service::start(noting()).await;
    let chat = service.chat();
    assert_eq!(chat.say("Note milk.").await, 201);
    let mut events = chat.events().await;
    events.until("done").await;
    assert_eq!(chat.delete().await, 204);
    assert_eq!(events.next().await, None);
    assert_eq!(chat.delete().await, 404);
    assert_eq!(chat.list().await, json!([]));
    // the same id begins anew, with an agent of its own again
    assert_eq!(chat.say("Note milk.").await, 201);
}

#[timed_test::test]
async fn a_text_that_the_model_sends_again_is_discarded() {
    let cut = ModelError::Transport("the connection was reset".into());
    let model = Scripted::new().events([ModelEvent::Text("Let".into())]);
    let service = Service::start(model.then_error(cut).text("Hello.")).await;
    let shown = [
        event("said", "Hi."),
        event("text", "Let"),
        event("discard", Value::Null),
        event("text", "Hello."),
        step(),
        event("done", "answered"),
    ];
    assert_eq!(turn(&service.chat(), "Hi.").await, shown);
}

#[timed_test::test]
async fn an_error_of_the_model_is_an_event_without_its_text() {
    let service = Service::start(Scripted::new().events([]).then_panic()).await;
    let chat = service.chat();
    for said in ["Hello.", "Hello?"] {
        assert_eq!(chat.say(said).await, 201);
        let failed = chat.events().await.until("failed").await.pop().unwrap();
        assert_eq!(failed.2, "the turn failed; please try again");
        assert_eq!(chat.page().await["status"], "interrupted");
    }
}
