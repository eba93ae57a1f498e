//! Mistakes of a program that builds a chat, and their messages.

use crate::support::*;
use serde_json::json;
use skill_agent::chat::{
    Anthropic, Chat, ChatBuilder, ChatModel, Event, GenAi, Limits, Message, ModelProfile, OpenAi,
    OpenAiResponses, RateLimit, RequestOptions, Retries, Scripted,
};
use skill_agent::models::{Provider, Shape};
use skill_agent::toolbox::Toolbox;
use std::sync::Arc;
use std::time::Duration;

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
    let in_quotes = "has quotes around it; give the";
    let expected = [
        (OpenAi::new("sk-1", ""), "the name of the model is empty; write `new(key, model)`".to_owned()),
        (OpenAi::new("sk-1", " \n"), "the name of the model is empty; write `new(key, model)`".to_owned()),
        (OpenAi::new("sk-1", "\"gpt-5\""), format!("the name of the model {in_quotes} name alone")),
        (OpenAi::new("'sk-1'", "gpt-5"), format!("the key {in_quotes} key alone")),
        (OpenAi::new("\"sk-1\"\n", "gpt-5"), format!("the key {in_quotes} key alone")),
        (
            OpenAi::new("bearer sk-1", "gpt-5"),
            "the key begins with `Bearer`, which the model writes itself; give the key alone".to_owned(),
        ),
        (
            OpenAi::new("sk-1\nOTHER=2", "gpt-5"),
            "the key has a space or a line end in it; give the key alone".to_owned(),
        ),
        (
            OpenAi::new("", "qwen3").base_url(""),
            "the base URL is empty; leave `base_url` out for the provider itself, or write one like `http://localhost:8080/v1`".to_owned(),
        ),
        (
            OpenAi::new("", "qwen3").base_url("\"http://localhost:8080/v1\""),
            "the base URL has quotes around it; give it without them".to_owned(),
        ),
        (
            OpenAi::new("", "qwen3").base_url("http:///v1"),
            "the base URL `http:///v1` has no host; write one like `http://localhost:8080/v1`".to_owned(),
        ),
        (
            OpenAi::new("", "qwen3").idle_time(Duration::ZERO),
            "`idle_time` is 0, so that every request would fail; leave it out for five minutes".to_owned(),
        ),
    ];
    for (model, expected) in expected {
        let printed = error(Box::new(model));
        assert_eq!(printed, format!("the request cannot be sent: {expected}"));
    }
    let model = Anthropic::new("Bearer sk-ant-1", "claude-sonnet-4-5");
    assert!(error(Box::new(model)).contains("begins with `Bearer`"));
    for name in ["", "groq::"] {
        assert_eq!(
            error(Box::new(GenAi::new(name))),
            "the request cannot be sent: the name of the model is empty; write one like `gemini-2.5-flash`"
        );
    }
    let model = OpenAi::new("sk-1\n", "qwen3\n").base_url("http://localhost:8080");
    assert!(Chat::builder(model, toolbox).build().is_ok());
}

#[timed_test::test]
async fn the_settings_of_a_chat_leave_room_for_something() {
    let server = server().await;
    let limits = Limits::default;
    let options = RequestOptions::new;
    let stall = Retries::default().stall(Duration::ZERO);
    let no_request = "so that no request could be sent; leave it out for the default";
    type Set = Box<dyn Fn(ChatBuilder) -> ChatBuilder>;
    let rows: [(Set, String); 11] = [
        (Box::new(move |chat| chat.limits(limits().steps(0))), format!("`Limits::steps` is 0, {no_request}")),
        (Box::new(move |chat| chat.limits(limits().tokens(0))), format!("`Limits::tokens` is 0, {no_request}")),
        (Box::new(move |chat| chat.limits(limits().time(Duration::ZERO))), format!("`Limits::time` is 0, {no_request}")),
        (
            Box::new(move |chat| chat.limits(limits().identical_calls(0))),
            "`Limits::identical_calls` is 0, so that no call could be run; leave it out for the default".to_owned(),
        ),
        (
            Box::new(move |chat| chat.options(options().temperature(f64::NAN))),
            "`RequestOptions::temperature` is NaN, which is no number of JSON; write one like 0.2".to_owned(),
        ),
        (
            Box::new(move |chat| chat.options(options().temperature(f64::INFINITY))),
            "`RequestOptions::temperature` is inf, which is no number of JSON; write one like 0.2".to_owned(),
        ),
        (
            Box::new(move |chat| chat.options(options().max_tokens(0))),
            "`RequestOptions::max_tokens` is 0, so that the model could write nothing; leave it out for the default of the model".to_owned(),
        ),
        (
            Box::new(|chat| chat.rate_limit(RateLimit::per_minute(0))),
            "`RateLimit::per_minute` is 0, so that no request could be sent; leave `rate_limit` out for no limit".to_owned(),
        ),
        (
            Box::new(move |chat| chat.retries(stall)),
            "`Retries::stall` is 0, so that every request would fail; leave it out for the default".to_owned(),
        ),
        (Box::new(|chat| chat.history_tokens(0)), few_tokens(0)),
        (Box::new(|chat| chat.history_tokens(20)), few_tokens(20)),
    ];
    for (set, expected) in rows {
        let model = Scripted::new().text("Noted.");
        let built = set(builder(&model, &server)).build();
        assert_eq!(built.unwrap_err().to_string(), expected);
    }
}

#[timed_test::test]
async fn a_window_of_a_few_tokens_is_meant_in_thousands() {
    let server = server().await;
    for tokens in [0, 8, 63] {
        let profile = ModelProfile::new(Provider::OPENAI_CHAT).with_context_window(tokens);
        let model = Scripted::new().with_profile(profile);
        // a limit of the history does not make the window larger
        let built = builder(&model, &server).history_tokens(8_000).build();
        assert_eq!(built.unwrap_err().to_string(), small_window(tokens));
    }
}

/// The message for a window that is likely meant as thousands of tokens.
pub fn small_window(tokens: usize) -> String {
    let instead = match tokens {
        0 => "leave it out if it is unknown".to_owned(),
        _ => format!("write `with_context_window({tokens}_000)` for {tokens} thousand"),
    };
    format!(
        "`with_context_window({tokens})` of the profile is a number of tokens, about four bytes of text each, and not of thousands; \
         almost no turn fits into so few; {instead}"
    )
}

#[timed_test::test]
async fn a_profile_has_the_tools_of_its_models_api() {
    let toolbox = Toolbox::of(&server().await);
    let build = |model: Box<dyn ChatModel>| {
        let built = Chat::builder(model, toolbox.clone()).build();
        built.map(drop).map_err(|error| error.to_string())
    };
    let wrong = |set: &str, write: &str| {
        Err(format!(
            "the request cannot be sent: the profile of the model has `Provider::{set}`, whose tools this API does not read; write \
             `ModelProfile::new(Provider::{write})`, also for a model of another maker behind this API"
        ))
    };
    let local = || OpenAi::new("", "claude-sonnet-4-5").base_url("http://localhost:8080/v1");
    let profile = ModelProfile::new;
    let rows: [(Box<dyn ChatModel>, _); 8] = [
        (
            Box::new(local().with_profile(profile(Provider::ANTHROPIC))),
            wrong("ANTHROPIC", "OPENAI_COMPATIBLE"),
        ),
        (
            Box::new(
                OpenAi::new("", "gpt-5").with_profile(profile(Provider::OPENAI_RESPONSES_STRICT)),
            ),
            wrong("OPENAI_RESPONSES_STRICT", "OPENAI_CHAT"),
        ),
        (
            Box::new(
                OpenAiResponses::new("", "gpt-5").with_profile(profile(Provider::OPENAI_CHAT)),
            ),
            wrong("OPENAI_CHAT", "OPENAI_RESPONSES"),
        ),
        (
            Box::new(Anthropic::new("", "gpt-5").with_profile(profile(Provider::GEMINI))),
            wrong("GEMINI", "ANTHROPIC"),
        ),
        (
            Box::new(local().with_profile(profile(Provider::OPENAI_STRICT))),
            Ok(()),
        ),
        (
            Box::new(Anthropic::new("", "m").with_profile(profile(Provider::ANTHROPIC_STRICT))),
            Ok(()),
        ),
        // a server may read a shape that the program defines
        (
            Box::new(local().with_profile(profile(Provider {
                shape: &OWN_SHAPE,
                ..Provider::OPENAI_CHAT
            }))),
            Ok(()),
        ),
        // another order of the setters
        (
            Box::new(
                OpenAi::new("", "m")
                    .with_profile(profile(Provider::MCP))
                    .base_url("http://localhost:8080/v1"),
            ),
            wrong("MCP", "OPENAI_COMPATIBLE"),
        ),
    ];
    for (model, expected) in rows {
        assert_eq!(build(model), expected);
    }
}

static OWN_SHAPE: Shape = Shape::PLAIN.with_schema("arguments");

#[timed_test::test]
async fn an_extra_field_does_not_replace_the_conversation_or_its_tools() {
    let server = server().await;
    let url = "http://localhost:1/v1";
    let tools = "the tools of the toolbox; add a tool to the toolbox as a `ToolSource`; only a chat whose toolbox has no tools can have \
                 tools of the provider";
    let choice = "the choice of the chat; leave it out, and write `ChatBuilder::tool_choice`";
    let conversation =
        "the conversation; leave it out, and write `ChatBuilder::history` for earlier messages";
    let system = "the system text of the chat, with the instructions of its skills; leave it out, and write `ChatBuilder::system`";
    let name = "the name of the model; leave it out, and write the name where the model is made";
    type Make = fn(&str) -> Box<dyn ChatModel>;
    let chat_completions: Make = |url| Box::new(OpenAi::new("", "m").base_url(url));
    let responses: Make = |url| Box::new(OpenAiResponses::new("", "m").base_url(url));
    let anthropic: Make = |url| Box::new(Anthropic::new("", "m").base_url(url));
    let gen_ai: Make = |_| Box::new(GenAi::new("gemini-2.5-flash"));
    for (model, field, expected) in [
        (chat_completions, "tools", tools),
        (chat_completions, "tool_choice", choice),
        (chat_completions, "messages", conversation),
        (chat_completions, "model", name),
        (responses, "tools", tools),
        (responses, "input", conversation),
        (responses, "instructions", system),
        (anthropic, "tools", tools),
        (anthropic, "system", system),
        (gen_ai, "tools", tools),
        (gen_ai, "contents", conversation),
    ] {
        let options = RequestOptions::new().extra(field, json!([{ "type": "web_search" }]));
        let chat = Chat::builder(model(url), Toolbox::of(&server)).tool_choice("add_note");
        let mut chat = chat.options(options).build().unwrap();
        let error = chat.send("Hello?").await.unwrap_err().to_string();
        let expected = format!(
            "the request cannot be sent: `RequestOptions::extra(\"{field}\", ...)` would replace {expected}"
        );
        assert_eq!(error, expected);
    }
}

/// The message for a limit that is likely meant as a number of messages.
pub fn few_tokens(tokens: usize) -> String {
    format!(
        "`history_tokens({tokens})` is a number of tokens, about four bytes of text each, and not of messages; with so few, requests \
         leave out all turns but the last one"
    )
}

#[test]
fn messages_of_a_provider_are_no_messages_of_a_chat() {
    let read = |text| serde_json::from_str::<Vec<Message>>(text);
    let expected = "a message with `content` has the form of a provider, and a message of a chat has `parts`; write it anew: \
                    `Message::user(\"Note milk.\")` for what the user said, and `Message::assistant(\"Noted.\")` for what the model said";
    for text in [
        r#"[{"role":"user","content":"Note milk."}]"#,
        r#"[{"role":"system","content":"You keep notes."}]"#,
        r#"[{"content":[{"type":"text","text":"Note milk."}],"role":"user"}]"#,
    ] {
        let error = read(text).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
    let system = read(r#"[{"role":"system","content":"You keep notes."}]"#);
    let system = system.unwrap_err().to_string();
    assert!(
        system.contains(
            "for what the model said; a history has no message of the role `system`: `ChatBuilder::system` takes its text"
        ),
        "{system}"
    );
    for (text, expected) in [
        (r#"[{"role":"user"}]"#, "missing field `parts`"),
        (r#"[{"parts":[]}]"#, "missing field `role`"),
        (
            r#"[{"role":"model","parts":[]}]"#,
            "unknown variant `model`, expected one of `user`, `assistant`, `tool`",
        ),
        (
            r#"[{"role":"system","parts":[{"type":"text","text":"Be short."}]}]"#,
            "a history has no message of the role `system`: `ChatBuilder::system` takes its text",
        ),
        (
            r#"[{"role":"user","parts":[{"text":"Note milk."}]}]"#,
            "a part of a message has a `type`, as in `{\"type\":\"text\",\"text\":\"Note milk.\"}` at line 1 column ",
        ),
        (
            r#"[{"role":"user","parts":"Note milk."}]"#,
            "the parts of a message are a list of parts such as `{\"type\":\"text\",\"text\":\"Note milk.\"}`: \
             invalid type: string \"Note milk.\", expected a sequence",
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
