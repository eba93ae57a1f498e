//! Mistakes of a program that builds a chat, and their messages.

use crate::support::*;
use skill_agent::chat::{
    Anthropic, Chat, ChatModel, Event, Message, OpenAi, OpenAiResponses, Scripted,
};
use skill_agent::toolbox::Toolbox;
use std::sync::Arc;

#[timed_test::test]
async fn the_settings_of_a_model_are_checked_when_a_chat_is_built() {
    let toolbox = Toolbox::of(&server().await);
    let error = |model: Box<dyn ChatModel>| {
        let built = Chat::builder(model, toolbox.clone()).build();
        built.unwrap_err().to_string()
    };
    let url = "localhost:8080/v1";
    let without_scheme = "the request cannot be sent: the base URL `localhost:8080/v1` does not begin with `https://` or `http://`; \
                          write `http://localhost:8080/v1`";
    let models: [Box<dyn ChatModel>; 4] = [
        Box::new(OpenAi::new("", "qwen3").base_url(url)),
        Box::new(OpenAiResponses::new("", "qwen3").base_url(url)),
        Box::new(Anthropic::new("", "qwen3").base_url(url)),
        Box::new(Arc::new(OpenAi::new("", "qwen3").base_url(url))),
    ];
    for model in models {
        assert_eq!(error(model), without_scheme);
    }
    assert_eq!(
        error(Box::new(Anthropic::new(
            "claude-sonnet-4-5",
            "sk-ant-secret"
        ))),
        "the request cannot be sent: the name of the model is a key: write `new(key, model)`, the key first"
    );
    let model = OpenAi::new("", "qwen3").header("x team", "a");
    assert_eq!(
        error(Box::new(model)),
        "the request cannot be sent: the header `x team` is malformed"
    );
    let model = OpenAi::new("", "qwen3").base_url("http://localhost:8080");
    assert!(Chat::builder(model, toolbox).build().is_ok());
}

#[test]
fn messages_of_a_provider_are_no_messages_of_a_chat() {
    let read = |text| serde_json::from_str::<Vec<Message>>(text);
    let expected = "a message with `content` has the form of a provider, and a message of a chat has `parts`; write it anew: \
                    `Message::from(\"Note milk.\")` for what the user said, and `Message::new(Role::Assistant, \
                    vec![TextPart::new(\"Noted.\").into()])` for what the model said";
    for text in [
        r#"[{"role":"user","content":"Note milk."}]"#,
        r#"[{"role":"system","content":"You keep notes."}]"#,
        r#"[{"content":[{"type":"text","text":"Note milk."}],"role":"user"}]"#,
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    for (text, expected) in [
        (r#"[{"role":"user"}]"#, "missing field `parts`"),
        (r#"[{"parts":[]}]"#, "missing field `role`"),
        (
            r#"[{"role":"system","parts":[]}]"#,
            "unknown variant `system`, expected one of `user`, `assistant`, `tool`",
        ),
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[timed_test::test]
async fn the_history_is_read_while_a_stream_runs() {
    let server = server().await;
    let model = Scripted::new().text("Noted.").text("Noted.");
    let mut chat = builder(&model, &server).build().unwrap();
    let said = "Note milk.".to_owned();
    let mut turn = chat.stream(&said);
    let mut counts = Vec::new();
    while let Some(event) = turn.next().await {
        let event = event.unwrap();
        if matches!(event, Event::Text(_) | Event::StepEnd(_)) {
            counts.push(turn.chat().history().len());
        }
    }
    assert_eq!(counts, [0, 2]);
    let mut turn = chat.into_stream("Note bread.");
    while turn.next().await.is_some() {}
    assert_eq!(turn.chat().history().len(), 4);
}
