//! Tests of Mistral's lists of text and reasoning.

use crate::tests::*;

fn event(item: &serde_json::Value) -> String {
    json!({ "choices": [{ "delta": { "content": [item] } }] }).to_string()
}

fn thinking(text: &str) -> serde_json::Value {
    json!({ "type": "thinking", "thinking": [{ "type": "text", "text": text }] })
}

#[tokio::test]
async fn reasoning_of_any_length_is_one_item() {
    let words: Vec<String> = (0..5000).map(|number| format!(" {number}")).collect();
    let mut sent: Vec<String> = words.iter().map(|word| event(&thinking(word))).collect();
    sent.push(event(&json!({ "type": "text", "text": "So" })));
    sent.push(event(&json!({ "type": "text", "text": " be it." })));
    sent.push(r#"{"choices":[{"delta":{"content":""},"finish_reason":"stop"}]}"#.to_owned());
    let sent: Vec<&str> = sent.iter().map(String::as_str).collect();
    let message =
        json!({ "content": [thinking(&words.concat()), { "type": "text", "text": "So be it." }] });
    let whole = json!({ "choices": [{ "finish_reason": "stop", "message": message }] });
    let server = Server::start([
        Response::events(&sent),
        Response::json(&whole.to_string()),
        Response::json("{}"),
    ])
    .await;
    let model = open_ai(&server);
    let streamed = collected(events(&model, question()).await);
    assert_eq!(
        (&*streamed.reasoning, &*streamed.text),
        (&*words.concat(), "So be it.")
    );
    assert_eq!(streamed.parts.len(), 2);
    let at_once = collected(events(&model, question()).await);
    assert_eq!(streamed.reasoning, at_once.reasoning);
    let parts = |parts: &[MessagePart]| {
        let text = |part: &MessagePart| match part {
            MessagePart::Reasoning(part) => format!("reasoning {}", part.text),
            MessagePart::Text(part) => format!("text {}", part.text),
            other => panic!("{other:?}"),
        };
        parts.iter().map(text).collect::<Vec<_>>()
    };
    assert_eq!(parts(&streamed.parts), parts(&at_once.parts));
    // unchanged
    events(&model, next(streamed.parts, &[])).await;
    assert_eq!(server.body()["messages"][1]["content"], message["content"]);
}

#[tokio::test]
async fn items_of_one_event_and_of_other_types_stay_as_they_are() {
    let text = |text: &str| json!({ "type": "text", "text": text });
    let reference = json!({ "type": "reference", "reference_ids": [1] });
    let first = json!({ "choices": [{ "delta": { "content": [text("a"), text("b")] } }] });
    let last =
        json!({ "choices": [{ "delta": { "content": [reference] }, "finish_reason": "stop" }] });
    let server = Server::start([
        Response::events(&[&first.to_string(), &last.to_string()]),
        Response::json("{}"),
    ])
    .await;
    let model = open_ai(&server);
    let completion = collected(events(&model, question()).await);
    events(&model, next(completion.parts, &[])).await;
    assert_eq!(
        server.body()["messages"][1]["content"],
        json!([text("a"), text("b"), reference])
    );
}

#[tokio::test]
async fn reasoning_alone_does_not_go_back() {
    let only = json!({ "choices": [{ "finish_reason": "length", "message": { "content": [thinking("Hm.")] } }] });
    let server = Server::start([
        Response::json(&only.to_string()),
        Response::json("{}"),
        Response::events(&[
            &event(&thinking("Hm.")),
            r#"{"choices":[{"delta":{"content":""},"finish_reason":"length"}]}"#,
        ]),
        Response::json("{}"),
    ])
    .await;
    let model = open_ai(&server);
    for _ in 0..2 {
        let completion = collected(events(&model, question()).await);
        assert_eq!((&*completion.reasoning, &*completion.text), ("Hm.", ""));
        events(&model, next(completion.parts, &[])).await;
        assert_eq!(server.body()["messages"].as_array().unwrap().len(), 1);
    }
}

#[tokio::test]
async fn other_fields_of_a_message_are_not_its_reasoning() {
    let message = json!({ "content": [thinking("Hm.")], "prefix": true });
    let whole = json!({ "choices": [{ "finish_reason": "stop", "message": message }] });
    let server = Server::start([Response::json(&whole.to_string())]).await;
    let completion = collected(events(&open_ai(&server), question()).await);
    assert_eq!(completion.reasoning, "Hm.");
}
