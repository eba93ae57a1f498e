//! The routes over the loopback address, with scripted models.

mod client;

use client::Service;
use serde_json::{Value, json};
use skill_agent::chat::{ModelEvent, Scripted};
use std::sync::atomic::{AtomicUsize, Ordering};
use web_chat::{MAX_CHATS, MAX_MESSAGES};

/// A reply that shows a word and does not end.
fn stalled(script: Scripted) -> Scripted {
    script
        .events([ModelEvent::Text("Let".to_owned())])
        .then_stall()
}

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

fn done(stop: &str) -> (String, Value) {
    ("done".to_owned(), json!({ "stop": stop }))
}

fn text(text: &str) -> (String, Value) {
    ("text".to_owned(), json!(text))
}

fn event(name: &str, data: Value) -> (String, Value) {
    (name.to_owned(), data)
}

#[timed_test::test]
async fn a_turn_comes_as_events() {
    let service = Service::start(noting).await;
    let chat = service.begin().await;
    let mut response = service.say(&chat, "Note milk.").await;
    assert_eq!(response.status, 200);
    assert!(response.head.contains("content-type: text/event-stream"));
    assert_eq!(
        response.events().await,
        [
            event(
                "calling",
                json!({ "call": "call_1_1_0", "tool": "add_note" })
            ),
            event("called", json!({ "call": "call_1_1_0", "ok": true })),
            text("I noted it."),
            done("answered"),
        ]
    );
    assert_eq!(response.next().await, None);
}

#[timed_test::test]
async fn a_call_waits_for_the_person() {
    let service = Service::start(|| clearing().calls([("list_notes", json!({}))])).await;
    let chat = service.begin().await;
    let asked = service.say(&chat, "Clear them.").await.events().await;
    let waiting = json!({ "call": "call_1_1_0", "tool": "clear_notes", "arguments": {} });
    assert_eq!(
        asked[1..],
        [event("approval", waiting), done("approval")],
        "{asked:?}"
    );

    let refused = service.decide(&chat, "call_9_9_9", "approve").await;
    let refused = refused.events_of_200().await;
    let why = "no call with this id waits for approval";
    assert_eq!(refused, [event("error", json!(why))]);

    let decided = service.decide(&chat, "call_1_1_0", "approve").await;
    assert_eq!(
        decided.events_of_200().await,
        [
            event("called", json!({ "call": "call_1_1_0", "ok": true })),
            text("As you wish."),
            done("answered"),
        ]
    );
}

#[timed_test::test]
async fn a_denied_call_is_not_run() {
    let service = Service::start(clearing).await;
    let chat = service.begin().await;
    service.say(&chat, "Clear them.").await.events().await;
    let decided = service.decide(&chat, "call_1_1_0", "deny").await;
    let events = decided.events_of_200().await;
    let called = json!({ "call": "call_1_1_0", "ok": false });
    assert_eq!(events[0], event("called", called));
    assert_eq!(events.last(), Some(&done("answered")));
}

#[timed_test::test]
async fn a_conversation_goes_on_after_its_client_was_gone() {
    let models = client::Models::default();
    let model = models.clone();
    let service = Service::start(move || {
        let script = noting().calls([("list_notes", json!({}))]);
        model.made(stalled(script).text("Welcome back."))
    })
    .await;
    let chat = service.begin().await;
    service.say(&chat, "Note milk.").await.events().await;

    let mut response = service.say(&chat, "List them.").await;
    while response.next().await != Some(text("Let")) {}
    drop(response);

    // the server sees that the connection is closed some time later
    let mut response = service.say(&chat, "Are you there?").await;
    while response.status == 409 {
        response = service.say(&chat, "Are you there?").await;
    }
    assert_eq!(
        response.events_of_200().await,
        [text("Welcome back."), done("answered")]
    );
    // the call of the turn that was cut, with its result, but not the word after it
    let requests = models.last().requests();
    let messages = &requests.last().unwrap().messages;
    let texts: Vec<String> = messages.iter().map(|message| message.text()).collect();
    assert_eq!(texts[4..], ["List them.", "", "", "Are you there?"]);
}

#[timed_test::test]
async fn one_turn_at_a_time() {
    let service = Service::start(|| stalled(Scripted::new())).await;
    let chat = service.begin().await;
    let mut running = service.say(&chat, "Hello.").await;
    assert_eq!(running.next().await, Some(text("Let")));
    assert_eq!(service.say(&chat, "Hello?").await.status, 409);
    assert_eq!(
        service.decide(&chat, "call_1_1_0", "deny").await.status,
        409
    );
}

#[timed_test::test]
async fn conversations_do_not_wait_for_each_other() {
    let made = AtomicUsize::new(0);
    let service = Service::start(move || match made.fetch_add(1, Ordering::Relaxed) {
        0 => stalled(Scripted::new()),
        _ => noting(),
    })
    .await;
    let (one, other) = (service.begin().await, service.begin().await);
    let mut running = service.say(&one, "Hello.").await;
    assert_eq!(running.next().await, Some(text("Let")));
    let events = service
        .say(&other, "Note milk.")
        .await
        .events_of_200()
        .await;
    assert_eq!(events.last(), Some(&done("answered")));
    assert_eq!(service.say(&one, "Hello?").await.status, 409);
}

#[timed_test::test]
async fn there_is_no_such_conversation() {
    let service = Service::start(noting).await;
    assert_eq!(service.say("none", "Hello.").await.status, 404);
    assert_eq!(
        service.decide("none", "call_1_1_0", "deny").await.status,
        404
    );
}

#[timed_test::test]
async fn wrong_requests_are_refused_before_a_turn() {
    let service = Service::start(noting).await;
    let chat = service.begin().await;
    let messages = format!("/chats/{chat}/messages");
    let decisions = format!("/chats/{chat}/decisions");
    let huge = json!({ "text": "a".repeat(100_000) }).to_string();
    let deep = "[".repeat(60_000);
    for (path, body, status) in [
        (&messages, huge.as_str(), 413),
        (&messages, &deep, 422),
        (&messages, r#"{"text":"#, 400),
        (&messages, "", 400),
        (&messages, r#"{"text":7}"#, 422),
        (&messages, r#"{"text":"a","role":"system"}"#, 422),
        (
            &decisions,
            r#"{"call":"call_1_1_0","verdict":"perhaps"}"#,
            422,
        ),
        (&decisions, r#"{"call":"call_1_1_0"}"#, 422),
    ] {
        let response = service.post(path, body).await;
        assert_eq!(response.status, status, "{path}: {:.60}", body);
    }
    let events = service.say(&chat, "Note milk.").await.events_of_200().await;
    assert_eq!(events.last(), Some(&done("answered")));
}

#[timed_test::test]
async fn an_error_of_the_model_is_an_event_without_its_text() {
    let service = Service::start(Scripted::new).await;
    let chat = service.begin().await;
    for _ in 0..2 {
        let events = service.say(&chat, "Hello.").await.events_of_200().await;
        let shown = json!("the turn failed; please try again");
        assert_eq!(events, [event("error", shown)]);
    }
}

#[timed_test::test]
async fn a_panic_of_the_model_leaves_the_conversation() {
    let service = Service::start(|| Scripted::new().events([]).then_panic().text("Hello.")).await;
    let chat = service.begin().await;
    let events = service.say(&chat, "Hello.").await.events_of_200().await;
    assert_eq!(events.last().unwrap().0, "error");
    let events = service.say(&chat, "Hello.").await.events_of_200().await;
    assert_eq!(events, [text("Hello."), done("answered")]);
}

#[timed_test::test]
async fn conversations_and_messages_are_bounded() {
    let service =
        Service::start(|| (0..MAX_MESSAGES).fold(Scripted::new(), |script, _| script.text("Yes.")))
            .await;
    let (oldest, second) = (service.begin().await, service.begin().await);
    for _ in 2..MAX_CHATS {
        service.begin().await;
    }
    assert_eq!(service.say(&oldest, "Hello.").await.events().await.len(), 2);
    service.begin().await;
    // the second one was not used for the longest time
    assert_eq!(service.say(&second, "Hello.").await.status, 404);
    let mut statuses = Vec::new();
    for _ in 0..MAX_MESSAGES / 2 {
        let mut response = service.say(&oldest, "Hello.").await;
        statuses.push(response.status);
        response.events().await;
    }
    assert_eq!(statuses.pop(), Some(507));
    assert!(statuses.iter().all(|status| *status == 200));
}

#[timed_test::test]
async fn a_call_that_waits_in_a_full_conversation_can_be_decided() {
    let service = Service::start(|| {
        let said = (2..MAX_MESSAGES / 2).fold(Scripted::new(), |script, _| script.text("Yes."));
        let script = said.calls([("add_note", json!({ "text": "milk" }))]);
        script.calls([("clear_notes", json!({}))]).text("Gone.")
    })
    .await;
    let chat = service.begin().await;
    for _ in 2..MAX_MESSAGES / 2 {
        service.say(&chat, "Hello.").await.events_of_200().await;
    }
    let events = service
        .say(&chat, "Clear them.")
        .await
        .events_of_200()
        .await;
    let (_, waiting) = events.iter().find(|(name, _)| name == "approval").unwrap();
    assert_eq!(service.say(&chat, "And then?").await.status, 507);
    let id = waiting["call"].as_str().unwrap();
    let decided = service.decide(&chat, id, "approve").await;
    assert_eq!(
        decided.events_of_200().await.last(),
        Some(&done("answered"))
    );
}
