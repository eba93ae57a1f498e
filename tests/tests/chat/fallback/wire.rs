//! Chains of two models behind HTTP: what a person sees, and what the history holds.

use super::*;
use crate::wire::Format;
use crate::wire::wires::{Wire, deltas, message, plain};
use model_server::{Response, Server};
use serde_json::{Value, json};
use skill_agent::chat::{Anthropic, Fallback, OpenAi, RequestOptions, Retries};
use skill_agent::children::Backoff;

/// A chain of a model of OpenAI and one of Anthropic.
async fn servers() -> (Server, Server, Fallback) {
    let (first, second) = (Server::start([]).await, Server::start([]).await);
    let openai = OpenAi::new("", "m").base_url(format!("{}/v1", first.url));
    let anthropic = Anthropic::new("", "m").base_url(&second.url);
    let models = Fallback::new(openai).then(anthropic);
    let models = models.stall(Duration::from_millis(200));
    (first, second, models)
}

/// A chat that waits for a millisecond before it sends a request again.
async fn chat_with(models: Fallback, streams: bool) -> Chat {
    let wait = Duration::from_millis(1);
    let retries = Retries::default()
        .attempts(2)
        .backoff(Backoff::new(wait, 1, wait));
    let options = RequestOptions::new().extra("stream", streams);
    let chat = builder_of(models, &server().await)
        .retries(retries)
        .options(options);
    chat.build().unwrap()
}

fn failed(status: u16, body: Value) -> Response {
    Response::json(&body.to_string()).status(status)
}

fn openai_error(message: &str, code: &str) -> Value {
    json!({ "error": { "message": message, "code": code } })
}

/// The events of a turn, with pieces of text put together.
async fn seen(chat: &mut Chat) -> Vec<String> {
    let mut seen: Vec<String> = Vec::new();
    for event in events(chat.stream("Hello?")).await {
        match (seen.last_mut(), event.strip_prefix("text ")) {
            (Some(last), Some(piece)) if last.starts_with("text ") => last.push_str(piece),
            _ => seen.push(event),
        }
    }
    seen
}

/// A failure of the first model.
struct Row {
    name: &'static str,
    /// The responses of the first model, before it greets.
    responses: Vec<Response>,
    /// The events, or the error at their end.
    seen: &'static [&'static str],
    /// The messages in the history afterwards.
    kept: usize,
    /// The requests to the first and to the second model.
    asked: (usize, usize),
}

const REPLACED: &[&str] = &[
    "switched to 1, cache lost",
    "text Done.",
    "step 1 with 2 messages",
    "done Answered",
];

/// The failures of a server that streams, or of one that sends its completions whole.
fn rows(streams: bool) -> Vec<Row> {
    let begun = "data: {\"choices\":[{\"delta\":{\"content\":\"Hel\"}}]}\n\n";
    let silent = "data: {\"choices\":[{\"delta\":{\"role\":\"assistant\"}}]}\n\n";
    let overloaded = "data: {\"error\":{\"message\":\"Overloaded\",\"code\":529}}\n\n";
    let refusal = if streams {
        deltas(&[r#"{"refusal":"No."}"#], "stop")
    } else {
        message(r#"{"role":"assistant","refusal":"No."}"#, "stop")
    };
    let row = |name, responses, seen, kept, asked| Row {
        name,
        responses,
        seen,
        kept,
        asked,
    };
    let limited = failed(429, openai_error("Slow down.", "rate_limit_exceeded"));
    let mut rows = vec![
        row(
            "429",
            vec![limited.header("retry-after", "60")],
            REPLACED,
            2,
            (1, 1),
        ),
        row("500", vec![failed(500, json!({}))], REPLACED, 2, (1, 1)),
        row(
            "no credit",
            vec![failed(429, openai_error("No.", "insufficient_quota"))],
            REPLACED,
            2,
            (1, 1),
        ),
        row(
            "a web page",
            vec![Response::of("text/html", "<html>Back soon</html>")],
            REPLACED,
            2,
            (1, 1),
        ),
        row(
            "silence",
            vec![Response::stream("").stall()],
            REPLACED,
            2,
            (1, 1),
        ),
        row(
            "refusal",
            vec![refusal.response()],
            &["text No.", "step 1 with 2 messages", "done Refused"],
            2,
            (1, 0),
        ),
        row(
            "refused request",
            vec![failed(400, openai_error("No.", "content_policy_violation"))],
            &["error: the provider refused the request: No."],
            0,
            (1, 0),
        ),
        row(
            "too long",
            vec![failed(
                400,
                openai_error("Too long.", "context_length_exceeded"),
            )],
            &["error: the conversation is too long for the model: Too long."],
            0,
            (1, 0),
        ),
        row(
            "invalid key",
            vec![failed(401, openai_error("Invalid key.", "invalid_api_key"))],
            &["error: the provider answered with status 401: Invalid key."],
            0,
            (1, 0),
        ),
    ];
    if streams {
        rows.push(row(
            "cut before text",
            vec![Response::stream(silent).cut()],
            REPLACED,
            2,
            (1, 1),
        ));
        rows.push(row(
            "overloaded in the stream",
            vec![Response::stream(overloaded)],
            REPLACED,
            2,
            (1, 1),
        ));
        rows.push(row(
            "cut after text",
            vec![Response::stream(begun).cut()],
            &[
                "text Hel",
                "retry 2 after 0 s, discard",
                "switched to 1, cache lost",
                "text Done.",
                "step 1 with 2 messages",
                "done Answered",
            ],
            2,
            (1, 1),
        ));
    } else {
        rows.push(row(
            "cut",
            vec![Response::json("{").cut()],
            REPLACED,
            2,
            (1, 1),
        ));
    }
    rows
}

#[timed_test::test]
async fn each_failure_over_http() {
    for streams in [true, false] {
        for row in rows(streams) {
            let (first, second, models) = servers().await;
            first.respond(row.responses);
            second.respond([plain(Format::Anthropic)]);
            let mut chat = chat_with(models, streams).await;
            let name = row.name;
            assert_eq!(
                seen(&mut chat).await,
                row.seen,
                "{name}, streams: {streams}"
            );
            assert_eq!(chat.history().len(), row.kept, "{name}, streams: {streams}");
            let asked = (first.received().len(), second.received().len());
            assert_eq!(asked, row.asked, "{name}, streams: {streams}");
            assert_eq!(stored(chat.history()), chat.history());
        }
    }
}

#[timed_test::test]
async fn a_server_that_cannot_be_reached_is_replaced() {
    let (_, second, _) = servers().await;
    second.respond([plain(Format::Anthropic)]);
    let nowhere = OpenAi::new("", "m").base_url("http://127.0.0.1:1/v1");
    let models = Fallback::new(nowhere).then(Anthropic::new("", "m").base_url(&second.url));
    let mut chat = chat_with(models, true).await;
    assert_eq!(seen(&mut chat).await, REPLACED);
}

/// The first model calls a tool and reasons, the second one answers, and the first one goes on.
#[timed_test::test]
async fn items_of_one_provider_do_not_go_to_another() {
    let (openai, anthropic, _) = servers().await;
    let models = Fallback::new(Anthropic::new("", "m").base_url(&anthropic.url))
        .then(OpenAi::new("", "m").base_url(format!("{}/v1", openai.url)));
    let blocks = json!([
        { "type": "thinking", "thinking": "Hm.", "signature": "the signature" },
        { "type": "tool_use", "id": "toolu_1", "name": "add_note", "input": { "text": "a" } },
    ]);
    let overloaded = || failed(529, json!({ "error": { "message": "Overloaded" } }));
    anthropic.respond([
        Wire::Blocks(blocks, "tool_use", true).response(),
        overloaded(),
        plain(Format::Anthropic),
    ]);
    openai.respond([deltas(
        &[r#"{"reasoning_content":"Aha.","content":"Noted."}"#],
        "stop",
    )
    .response()]);
    let mut chat = chat_with(models, true).await;
    let turn = chat.send("Note a.").await.unwrap();
    assert_eq!((turn.text(), turn.steps), ("Noted.", 2));
    let sent = openai.received().remove(0);
    assert!(!sent.text.contains("signature") && !sent.text.contains("toolu_1"));
    let messages = &sent.body["messages"].as_array().unwrap()[1..];
    let id = &messages[1]["tool_calls"][0]["id"];
    assert_eq!(
        (id, &messages[2]["tool_call_id"]),
        (&messages[2]["tool_call_id"], id)
    );
    assert_whole(chat.history());
    chat.send("And now?").await.unwrap();
    let sent = anthropic.received().pop().unwrap();
    assert!(sent.text.contains("the signature") && sent.text.contains("toolu_1"));
    assert!(!sent.text.contains("Aha."));
}

/// A shorter conversation is sent to the chain again, so the first model answers.
#[timed_test::test]
async fn a_conversation_that_is_too_long_is_shortened_for_the_chain() {
    let (first, second, models) = servers().await;
    let too_long = failed(400, openai_error("Too long.", "context_length_exceeded"));
    first.respond([
        plain(Format::ChatCompletions),
        too_long,
        plain(Format::ChatCompletions),
    ]);
    let mut chat = chat_with(models, true).await;
    chat.send("Hello?").await.unwrap();
    assert_eq!(chat.send("More.").await.unwrap().text(), "Done.");
    assert_eq!(first.received().len(), 3);
    assert!(second.received().is_empty());
    assert_eq!(chat.history().len(), 4);
}
