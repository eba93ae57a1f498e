//! Requests that are refused, and the bounds of the service.

use crate::client::{Service, request, turn};
use serde_json::json;
use skill_agent::chat::Scripted;
use uuid::Uuid;
use web_chat::{MAX_CHAT_BYTES, MAX_CHATS};

fn greeting(count: usize) -> Scripted {
    (0..count).fold(Scripted::new(), |script, _| script.text("Hello."))
}

#[timed_test::test]
async fn another_client_has_no_such_conversation() {
    let service = Service::start(greeting(1)).await;
    let chat = service.chat();
    turn(&chat, "Note milk.").await;
    let mut other = service.chat();
    other.id = chat.id;
    assert_eq!(other.list().await, json!([]));
    for (method, path, body) in [
        ("GET", "", ""),
        ("DELETE", "", ""),
        ("GET", "/events", ""),
        (
            "POST",
            "/decisions",
            r#"{"call":"call_1_1_0","verdict":"approve"}"#,
        ),
        ("POST", "/resume", ""),
        ("POST", "/cancel", ""),
    ] {
        let response = other.request(method, path, "", body).await;
        assert_eq!(response.status, 404, "{method} {path}");
    }
    assert_eq!(chat.list().await.as_array().unwrap().len(), 1);
    // an id in another form is no way around
    let around = format!("/chats/{}%2F{}", Uuid::new_v4(), chat.client);
    let response = request(service.address, "GET", &around, "", "").await;
    assert_eq!(response.status, 400);
    let response = request(service.address, "GET", "/chats/", "", "").await;
    assert_eq!(response.status, 404);
}

#[timed_test::test]
async fn wrong_requests_are_refused_before_a_turn() {
    let service = Service::start(greeting(1)).await;
    let chat = service.chat();
    let huge = json!({ "text": "a".repeat(100_000) }).to_string();
    let deep = "[".repeat(60_000);
    for (path, body, status) in [
        ("/messages", huge.as_str(), 413),
        ("/messages", &deep, 422),
        ("/messages", r#"{"text":"#, 400),
        ("/messages", "", 400),
        ("/messages", r#"{"text":7}"#, 422),
        ("/messages", r#"{"text":" "}"#, 422),
        ("/messages", r#"{"text":"a","role":"system"}"#, 422),
        (
            "/decisions",
            r#"{"call":"call_1_1_0","verdict":"perhaps"}"#,
            422,
        ),
        ("/decisions", r#"{"call":"call_1_1_0"}"#, 422),
        ("/cancel", "", 404),
        ("/messages/7", "", 404),
    ] {
        let response = chat.post(path, body).await;
        assert_eq!(response.status, status, "{path}: {:.60}", body);
    }
    assert_eq!(chat.list().await, json!([]));
    turn(&chat, "Note milk.").await;
    for header in ["seven", "-1", "", "\u{e4}"] {
        let header = format!("last-event-id: {header}\r\n");
        let response = chat.request("GET", "/events", &header, "").await;
        assert_eq!(response.status, 400, "{header}");
    }
    let response = chat.request("GET", "/events?after=seven", "", "").await;
    assert_eq!(response.status, 400);
}

#[timed_test::test]
async fn the_number_of_conversations_is_bounded() {
    let service = Service::start(greeting(MAX_CHATS + 1)).await;
    let first = service.chat();
    turn(&first, "Hello.").await;
    for _ in 1..MAX_CHATS {
        assert_eq!(service.chat().say("Hello.").await, 201);
    }
    let new = service.chat();
    assert_eq!(new.say("Hello.").await, 507);
    assert_eq!(first.delete().await, 204);
    assert_eq!(new.say("Hello.").await, 201);
}

#[timed_test::test]
async fn the_size_of_a_conversation_is_bounded() {
    let text = "a".repeat(60_000);
    let count = MAX_CHAT_BYTES / text.len() + 1;
    let service = Service::start(greeting(count + 1)).await;
    let chat = service.chat();
    for _ in 1..count {
        turn(&chat, &text).await;
    }
    assert_eq!(chat.say(&text).await, 507);
    turn(&chat, "Hello.").await;
    turn(&chat.another(), "Hello.").await;
}

#[timed_test::test]
async fn the_page_needs_nothing_else() {
    let service = Service::start(greeting(1)).await;
    let response = request(service.address, "GET", "/", "", "").await;
    assert!(
        response
            .head
            .contains("content-type: text/html; charset=utf-8")
    );
    let page = response.text().await;
    for resource in [
        "src=",
        "href=\"",
        "import ",
        "@import",
        "url(",
        "innerHTML",
        "://",
    ] {
        assert!(!page.contains(resource), "{resource}");
    }
}
