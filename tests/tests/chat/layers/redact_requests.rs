//! Patterns in requests: what a model is sent, also over HTTP.

use super::*;
use crate::wire::Format;
use crate::wire::wires::{Wire, deltas, plain};
use model_server::Server;
use serde_json::json;
use skill_agent::chat::{
    Anthropic, CallPart, ContextOrigin, ContextPart, KeptItem, Message, MessagePart, OpenAi,
    Redact, RequestOptions, ResultPart, Role,
};
use skill_agent::toolbox::{OutputPart, ToolOutput, Toolbox};

fn redact() -> Redact {
    Redact::new([r"sk-\w+"]).by("***")
}

#[timed_test::test]
async fn all_texts_of_a_request_are_redacted_in_each_step() {
    let server = server().await;
    let model = Scripted::new().calls([("add_note", json!({ "text": "sk-one" }))]);
    let model = model.calls([("list_notes", json!({}))]);
    let model = model
        .calls([("add_note", json!({ "sk-two": 7 }))])
        .text("Done.");
    let chat = layered(&model, &server, redact()).system("The key is sk-system.");
    let mut chat = chat.build().unwrap();
    chat.send("Note sk-one.").await.unwrap();
    for request in model.requests() {
        let request = format!("{:?}{:?}", request.messages, request.system);
        assert!(
            !request.contains("sk-") && request.contains("***"),
            "{request}"
        );
    }
    assert_eq!(lines(&server).await, ["sk-one"]);
    let history = serde_json::to_string(chat.history()).unwrap();
    assert!(history.contains("sk-one") && history.contains("sk-two"));
    assert!(!history.contains("***"));
    assert_eq!(
        chat.system_text(),
        "The key is sk-system.\n\nA note is one short sentence."
    );
}

#[timed_test::test]
async fn links_and_added_texts_with_a_pattern_are_redacted() {
    let link = |uri: &str| OutputPart::Link {
        uri: uri.to_owned(),
        name: "report".to_owned(),
        description: None,
        media_type: None,
    };
    let found = vec![link("https://example.com/?key=sk-one"), link("https://b")];
    let call = CallPart::new(raw("find", "{}"));
    let result = ResultPart::new(&call, Ok(ToolOutput::new(found)));
    let mut context = ContextPart::new(ContextOrigin::Program);
    context.text = "The key is sk-two.".to_owned();
    let history = vec![
        Message::user("Find it.").with(context),
        Message::new(Role::Assistant, vec![call.into()]),
        Message::new(Role::Tool, vec![result.into()]),
        Message::new(Role::Assistant, vec![TextPart::new("Done.").into()]),
    ];
    let server = server().await;
    let model = Scripted::new().text("Yes.");
    let chat = layered(&model, &server, redact()).history(history);
    chat.build().unwrap().send("Is it?").await.unwrap();
    let MessagePart::Result(found) = &model.requests()[0].messages[2].parts[0] else {
        panic!("a result");
    };
    let said = format!("{:?}", model.requests()[0].messages[0]);
    assert!(said.contains("The key is ***."), "{said}");
    let redacted = "[report](https://example.com/?key=***)";
    assert_eq!(found.parts(), [redacted.into(), link("https://b")]);
}

#[timed_test::test]
async fn items_with_a_pattern_are_left_out() {
    let item = |json: &str| KeptItem::new("scripted", json);
    let text = |text: &str, json: &str| TextPart::new(text).with_item(item(json));
    let opaque = skill_agent::chat::OpaquePart::new(item("sk-opaque"));
    let said = Message::new(
        Role::Assistant,
        vec![
            text("sk-text", "one").into(),
            text("text", "sk-item").into(),
            text("plain", "plain").into(),
            opaque.into(),
        ],
    );
    let server = server().await;
    let model = Scripted::new().text("Done.");
    let chat = layered(&model, &server, redact()).history(vec!["Hi.".into(), said.clone()]);
    let mut chat = chat.build().unwrap();
    chat.send("And now?").await.unwrap();
    let sent = &model.requests()[0].messages[1];
    let expected = [
        TextPart::new("***"),
        TextPart::new("text"),
        text("plain", "plain"),
    ];
    assert_eq!(sent.parts, expected.map(Into::into));
    assert_eq!(chat.history()[1], said);
}

/// The same over HTTP, from a model that thinks with a signature, with and without streaming.
#[timed_test::test]
async fn a_provider_gets_no_pattern() {
    for streams in [true, false] {
        let models = Server::start([]).await;
        let blocks = json!([
            { "type": "thinking", "thinking": "It is sk-one.", "signature": "s1" },
            { "type": "text", "text": "It is sk-one, indeed, and this text is long enough to be shown." },
        ]);
        models.respond([
            Wire::Blocks(blocks, "end_turn", streams).response(),
            plain(Format::Anthropic),
        ]);
        let model = Anthropic::new("", "m").base_url(&models.url);
        let chat = Chat::builder(model, Toolbox::of(&server().await)).layer(redact());
        let options = RequestOptions::new().extra("stream", streams);
        let mut chat = chat.options(options).build().unwrap();
        let text = shown(&mut chat, "Which is it, sk-one?").await;
        assert_eq!(
            text,
            "It is ***, indeed, and this text is long enough to be shown."
        );
        assert!(chat.history()[1].text().contains("sk-one"));
        chat.send("And now?").await.unwrap();
        let sent: String = models
            .received()
            .iter()
            .map(|sent| sent.text.clone())
            .collect();
        assert!(!sent.contains("sk-one") && sent.contains("***"));
        assert!(!sent.contains("s1"), "a signature of other words");
    }
}

#[timed_test::test]
async fn arguments_of_calls_stay_json_for_a_provider() {
    let models = Server::start([]).await;
    let call = r#"{"tool_calls":[{"index":0,"id":"c1","function":{"name":"add_note","arguments":"{\"text\":\"sk-one\"}"}}]}"#;
    models.respond([
        deltas(&[call], "tool_calls").response(),
        plain(Format::ChatCompletions),
    ]);
    let agent = server().await;
    let model = OpenAi::new("", "m").base_url(format!("{}/v1", models.url));
    let chat = Chat::builder(model, Toolbox::of(&agent)).layer(redact());
    chat.build().unwrap().send("Go.").await.unwrap();
    assert_eq!(lines(&agent).await, ["sk-one"]);
    let sent = &models.body()["messages"][2]["tool_calls"][0]["function"];
    assert_eq!(sent["arguments"], r#"{"text":"***"}"#);
}
