//! Chats over models of the crate `genai`, behind a server of ours.

use crate::support::*;
use model_server::{Response, Server};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;
use skill_agent::chat::genai::adapter::AdapterKind;
use skill_agent::chat::genai::resolver::{AuthData, Endpoint};
use skill_agent::chat::genai::{ModelIden, ServiceTarget};
use skill_agent::chat::{Chat, ChatBuilder, GenAi, Retries, Stop};
use skill_agent::children::Backoff;
use skill_agent::prelude::AgentServer;
use skill_agent::toolbox::Toolbox;
use std::time::Duration;

const COMPLETION: &str = r#"{"choices":[{"delta":{"content":"Kept."},"finish_reason":"stop"}]}"#;
const CANDIDATE: &str = r#"{"candidates":[{"content":{"parts":[{"text":"Kept."}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":1}}"#;

fn chat(kind: AdapterKind, models: &Server, server: &AgentServer<Assistant>) -> ChatBuilder {
    let model = GenAi::new(ServiceTarget {
        endpoint: Endpoint::from_owned(format!("{}/v1/", models.url)),
        auth: AuthData::from_single("the key of tests"),
        model: ModelIden::new(kind, "m"),
    });
    let millisecond = Duration::from_millis(1);
    let retries = Retries::default().backoff(Backoff::new(millisecond, 1, millisecond));
    Chat::builder(model, Toolbox::of(server)).retries(retries)
}

fn completions(events: &[&str]) -> Response {
    Response::events(&[events, &["[DONE]"]].concat())
}

#[timed_test::test]
async fn a_turn_over_chat_completions_runs_the_calls_and_sends_their_results() {
    let server = server().await;
    let models = Server::start([
        completions(&[
            r#"{"choices":[{"delta":{"content":"So."}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"add_note","arguments":"{\"text\":"}}]}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"milk\"}"}}]}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"remove_note","arguments":"{}"}}]}}]}"#,
            r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
        ]),
        completions(&[COMPLETION]),
    ])
    .await;
    let mut chat = chat(AdapterKind::OpenAI, &models, &server).build().unwrap();
    assert_eq!(
        events(chat.stream("Note milk.")).await,
        [
            "text So.",
            "delta add_note",
            "delta ",
            "delta remove_note",
            "calling add_note",
            "called add_note",
            "calling remove_note",
            "called remove_note",
            "step 1 with 3 messages",
            "text Kept.",
            "step 2 with 1 messages",
            "done Answered",
        ]
    );
    assert_eq!(lines(&server).await, ["milk"]);
    let sent = models.body();
    let results = &sent["messages"].as_array().unwrap()[3..];
    assert_eq!(results[0]["content"], "1");
    assert_eq!(results[0]["tool_call_id"], "a");
    // a result has no mark for errors
    let failed = results[1]["content"].as_str().unwrap();
    assert!(
        failed.starts_with(r#"{"error":"#) && failed.contains("text"),
        "{failed}"
    );
    assert_whole(chat.history());
    assert_eq!(stored(chat.history()), chat.history());
}

#[timed_test::test]
async fn a_turn_over_gemini_sends_signatures_back_also_from_a_store() {
    let server = server().await;
    let models = Server::start([
        Response::events(&[
            r#"{"candidates":[{"content":{"parts":[{"text":"Hm.","thought":true}]}}]}"#,
            r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"add_note","args":{"text":"milk"}},"thoughtSignature":"s1"},{"functionCall":{"name":"add_note","args":{"text":"bread"}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":5,"candidatesTokenCount":2,"thoughtsTokenCount":1}}"#,
        ]),
        Response::events(&[CANDIDATE]),
        Response::events(&[CANDIDATE]),
    ])
    .await;
    let mut first = chat(AdapterKind::Gemini, &models, &server).build().unwrap();
    let turn = first.send("Note milk and bread.").await.unwrap();
    assert_eq!((turn.stop, turn.text()), (Stop::Answered, "Kept."));
    assert_eq!(
        (turn.usage.input, turn.usage.output, turn.usage.reasoning),
        (14, 4, 1)
    );
    assert_eq!(lines(&server).await, ["milk", "bread"]);

    let builder = chat(AdapterKind::Gemini, &models, &server).history(stored(first.history()));
    let mut second = builder.build().unwrap();
    second.send("And now?").await.unwrap();
    let contents = models.body()["contents"].clone();
    assert_eq!(
        contents[1]["parts"],
        json!([
            { "functionCall": { "name": "add_note", "args": { "text": "milk" } }, "thoughtSignature": "s1" },
            { "functionCall": { "name": "add_note", "args": { "text": "bread" } } },
        ])
    );
    let response = |content| {
        let response = json!({ "name": "add_note", "content": content });
        json!({ "functionResponse": { "name": "add_note", "response": response } })
    };
    assert_eq!(contents[2]["parts"], json!([response("1"), response("2")]));
}

#[timed_test::test]
async fn a_limited_or_cut_request_is_sent_again_after_the_wait() {
    let server = server().await;
    for (kind, begun, whole) in [
        (
            AdapterKind::OpenAI,
            r#"{"choices":[{"delta":{"content":"Ke"}}]}"#,
            completions(&[COMPLETION]),
        ),
        (
            AdapterKind::Gemini,
            r#"{"candidates":[{"content":{"parts":[{"text":"Ke"}]}}]}"#,
            Response::events(&[CANDIDATE]),
        ),
    ] {
        let limited = Response::json(r#"{"error":{"message":"Slow."}}"#).status(429);
        let models = Server::start([
            limited.header("retry-after", "0"),
            Response::events(&[begun]),
            whole,
        ])
        .await;
        let mut chat = chat(kind, &models, &server).build().unwrap();
        assert_eq!(
            events(chat.stream("Hello?")).await,
            [
                "retry 2 after 0 s",
                "text Ke",
                "retry 3 after 0 s, discard",
                "text Kept.",
                "step 1 with 2 messages",
                "done Answered",
            ]
        );
    }
}

/// A plan.
#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Plan {
    steps: Vec<String>,
}

#[timed_test::test]
async fn a_typed_answer_is_text_or_the_call_of_a_tool() {
    let server = server().await;
    let plan = Plan {
        steps: vec!["milk".to_owned()],
    };
    let text =
        r#"{"choices":[{"delta":{"content":"{\"steps\":[\"milk\"]}"},"finish_reason":"stop"}]}"#;
    let models = Server::start([completions(&[text])]).await;
    let mut of_chat = chat(AdapterKind::OpenAI, &models, &server).build().unwrap();
    assert_eq!(of_chat.ask::<Plan>("Plan.").await.unwrap(), plan);
    let format = &models.body()["response_format"]["json_schema"];
    assert_eq!(format["schema"]["required"], json!(["steps"]));

    let call = r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"answer","args":{"steps":["milk"]}}}]},"finishReason":"STOP"}]}"#;
    let models = Server::start([Response::events(&[call])]).await;
    let mut of_gemini = chat(AdapterKind::Gemini, &models, &server).build().unwrap();
    assert_eq!(of_gemini.ask::<Plan>("Plan.").await.unwrap(), plan);
}

#[timed_test::test]
async fn a_cancelled_turn_leaves_the_server_of_the_model() {
    let server = server().await;
    let begun = r#"{"choices":[{"delta":{"content":"a"}}]}"#;
    let models = Server::start([Response::events(&[begun]).stall()]).await;
    let mut chat = chat(AdapterKind::OpenAI, &models, &server).build().unwrap();
    let mut turn = chat.stream("Hello?");
    turn.next().await.unwrap().unwrap();
    drop(turn);
    models.left().await;
    assert!(chat.history().is_empty());
}

/// OpenAI enforces no other schemas than strict ones.
#[timed_test::test]
async fn an_answer_of_a_usual_type_is_strict() {
    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Search {
        text: String,
        #[serde(default)]
        most: u8,
    }
    let server = server().await;
    let models = Server::start([completions(&[
        r#"{"choices":[{"delta":{"content":"{\"text\":\"a\",\"most\":null}"},"finish_reason":"stop"}]}"#,
    ])])
    .await;
    let chat = chat(AdapterKind::OpenAI, &models, &server);
    let found: Search = chat.build().unwrap().ask("Search.").await.unwrap();
    let text = "a".to_owned();
    assert_eq!(found, Search { text, most: 0 });
    let format = &models.body()["response_format"]["json_schema"];
    assert_eq!(format["strict"], true);
    assert_eq!(format["schema"]["required"], json!(["text", "most"]));
    assert_eq!(format["schema"]["additionalProperties"], false);
}
