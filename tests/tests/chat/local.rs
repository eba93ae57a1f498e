//! A local server that knows neither the calls nor the reasoning of its model: from its responses to the history.

use crate::support::*;
use model_server::{Response, Server};
use serde_json::{Value, json};
use skill_agent::chat::{Chat, Event, ModelProfile, OpenAi, RequestOptions, Role, Turn};
use skill_agent::models::Provider;
use skill_agent::toolbox::Toolbox;

/// A completion of one text, in pieces of three characters or at once.
fn response(text: &str, streams: bool) -> Response {
    if !streams {
        let message = json!({ "role": "assistant", "content": text });
        let whole = json!({ "choices": [{ "message": message, "finish_reason": "stop" }] });
        return Response::json(&whole.to_string());
    }
    let chars: Vec<char> = text.chars().collect();
    let pieces = chars.chunks(3).map(|piece| {
        let piece: String = piece.iter().collect();
        json!({ "choices": [{ "delta": { "content": piece } }] }).to_string()
    });
    let end = json!({ "choices": [{ "delta": {}, "finish_reason": "stop" }] }).to_string();
    let events: Vec<String> = pieces.chain([end, "[DONE]".to_owned()]).collect();
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    Response::events(&events)
}

/// The turn of a question, the texts that were shown, and the last request.
async fn asked(
    texts: &[&str],
    streams: bool,
    profile: Option<ModelProfile>,
) -> (Turn, Vec<String>, Value, Chat) {
    let responses = texts.iter().map(|text| response(text, streams));
    let model_server = Server::start(responses.collect::<Vec<_>>()).await;
    let model = OpenAi::new("", "m").base_url(format!("{}/v1", model_server.url));
    let model = match profile {
        Some(profile) => model.with_profile(profile),
        None => model,
    };
    let server = server().await;
    let mut chat = Chat::builder(model, Toolbox::of(&server))
        .options(RequestOptions::new().extra("stream", streams))
        .build()
        .unwrap();
    let mut events = chat.stream("Note milk.");
    let (mut shown, mut turn) = (Vec::new(), None);
    while let Some(event) = events.next().await {
        match event.unwrap() {
            Event::Text(text) => shown.push(text),
            Event::Done(done) => turn = Some(done),
            _ => {}
        }
    }
    let body = model_server.body();
    (turn.unwrap(), shown, body, chat)
}

#[timed_test::test]
async fn a_call_that_is_written_as_text_is_run() {
    let call = r#"{"name": "add_note", "arguments": {"text": "Buy milk."}}"#;
    let cut = &call[..call.len() - 1];
    for text in [
        call.to_owned(),
        format!("```json\n{call}\n```"),
        cut.to_owned(),
        format!("<think>\nA note.\n</think>\n\n<tool_call>\n{call}\n</tool_call>"),
    ] {
        for streams in [true, false] {
            let (turn, shown, body, chat) = asked(&[&text, "Noted."], streams, None).await;
            assert_eq!((turn.text(), turn.calls.len()), ("Noted.", 1), "{text}");
            assert_eq!(turn.calls[0].arguments, r#"{"text": "Buy milk."}"#);
            assert_eq!(turn.calls[0].result.as_ref().unwrap().text(), "1");
            assert_eq!(shown.concat(), "Noted.");
            // the call goes back as one of the format, with its result
            let messages = body["messages"].as_array().unwrap();
            let [said, result] = &messages[messages.len() - 2..] else {
                panic!("{messages:?}");
            };
            assert_eq!(said["tool_calls"][0]["function"]["name"], "add_note");
            assert!(said["content"].is_null(), "{said}");
            assert_eq!(result["tool_call_id"], said["tool_calls"][0]["id"]);
            let roles: Vec<Role> = chat.history().iter().map(|message| message.role).collect();
            assert_eq!(
                roles,
                [Role::User, Role::Assistant, Role::Tool, Role::Assistant]
            );
        }
    }
}

#[timed_test::test]
async fn a_call_of_a_hosted_model_is_not_read_in_its_text() {
    let call = r#"{"name": "add_note", "arguments": {"text": "Buy milk."}}"#;
    for streams in [true, false] {
        let profile = ModelProfile::new(Provider::OPENAI_CHAT);
        let (turn, shown, ..) = asked(&[call], streams, Some(profile)).await;
        assert_eq!((turn.text(), turn.calls.len()), (call, 0));
        assert_eq!(shown.concat(), call);
    }
}

#[timed_test::test]
async fn reasoning_that_a_local_server_leaves_in_the_text_is_not_shown_as_text() {
    let text = "<think>\nMilk, then.\n</think>\n\nI note it.";
    for streams in [true, false] {
        let (turn, shown, _, chat) = asked(&[text], streams, None).await;
        assert_eq!(turn.text(), "I note it.");
        assert_eq!(shown.concat(), "I note it.");
        assert_eq!(chat.history()[1].text(), "I note it.");
    }
}

#[timed_test::test]
async fn reasoning_before_a_call_of_the_server_is_kept_once() {
    let delta = |delta: Value| json!({ "choices": [{ "delta": delta }] }).to_string();
    let function = json!({ "name": "add_note", "arguments": r#"{"text":"Milk"}"# });
    let call = json!([{ "index": 0, "id": "c1", "type": "function", "function": function }]);
    let end = json!({ "choices": [{ "delta": {}, "finish_reason": "tool_calls" }] }).to_string();
    // the template has written the first tag
    let events = [
        delta(json!({ "content": "Let me note it.\n</thi" })),
        delta(json!({ "content": "nk>\n\n" })),
        delta(json!({ "tool_calls": call })),
        end,
        "[DONE]".to_owned(),
    ];
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    let responses = vec![Response::events(&events), response("Noted.", true)];
    let model_server = Server::start(responses).await;
    let model = OpenAi::new("", "m").base_url(format!("{}/v1", model_server.url));
    let server = server().await;
    let mut chat = Chat::builder(model, Toolbox::of(&server)).build().unwrap();
    let turn = chat.send("Note milk.").await.unwrap();
    assert_eq!((turn.text(), turn.calls.len()), ("Noted.", 1));
    let said = &chat.history()[1];
    assert_eq!(
        (said.text().as_str(), said.parts.len()),
        ("", 2),
        "{said:?}"
    );
}
