//! The table of faults in docs/chat-failures.md: the events and the end of a turn for each fault of a model behind HTTP, whether the
//! server streams or sends its completions at once. The differences between the formats are tested beside their code.

use crate::support::*;
use serde_json::{Value, json};
use skill_agent::chat::{Chat, Event, OpenAi, RequestOptions, Retries};
use skill_agent::children::Backoff;
use skill_agent::toolbox::Toolbox;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};

/// A response of the server, byte for byte.
#[derive(Clone)]
struct Sent {
    bytes: String,
    /// Whether the connection stays open afterwards, without another byte.
    stalls: bool,
}

fn response(status: u16, headers: &str, body: &str) -> Sent {
    let head = format!("HTTP/1.1 {status} Test\r\nconnection: close\r\n{headers}\r\n");
    Sent {
        bytes: head + body,
        stalls: false,
    }
}

fn failure(status: u16, headers: &str) -> Sent {
    response(status, headers, r#"{"error":{"message":"Not now."}}"#)
}

const EVENTS: &str = "content-type: text/event-stream\r\n";
const JSON: &str = "content-type: application/json\r\n";

/// A completion, and the same in pieces: the fields of its message, and the reason to stop.
fn completion(message: Value, finish: &str) -> [Sent; 2] {
    let mut delta = message.clone();
    let calls = delta["tool_calls"].as_array_mut();
    for (index, call) in calls.into_iter().flatten().enumerate() {
        call["index"] = index.into();
    }
    let begin = json!({ "choices": [{ "delta": delta }] });
    let end = json!({ "choices": [{ "delta": {}, "finish_reason": finish }] });
    let events = format!("data: {begin}\n\ndata: {end}\n\ndata: [DONE]\n\n");
    let whole = json!({ "choices": [{ "message": message, "finish_reason": finish }] });
    [
        response(200, EVENTS, &events),
        response(200, JSON, &whole.to_string()),
    ]
}

fn text(text: &str, finish: &str) -> [Sent; 2] {
    completion(json!({ "content": text }), finish)
}

/// Calls of one id.
fn calls(calls: &[(&str, &str)], finish: &str) -> [Sent; 2] {
    let call = |(name, arguments): &(&str, &str)| {
        let function = json!({ "name": name, "arguments": arguments });
        json!({ "id": "same", "type": "function", "function": function })
    };
    let calls: Vec<Value> = calls.iter().map(call).collect();
    completion(json!({ "tool_calls": calls }), finish)
}

/// A stream and a whole completion that break off.
fn cut() -> [Sent; 2] {
    let event = json!({ "choices": [{ "delta": { "content": "Hel" } }] });
    [
        response(200, EVENTS, &format!("data: {event}\n\n")),
        response(200, &format!("{JSON}content-length: 99\r\n"), "{"),
    ]
}

fn stalled() -> [Sent; 2] {
    cut().map(|sent| Sent {
        stalls: true,
        ..sent
    })
}

fn malformed() -> [Sent; 2] {
    let [begun, _] = cut();
    let stream = begun.bytes + "data: {\n\n";
    [
        Sent {
            bytes: stream,
            stalls: false,
        },
        response(200, "content-type: text/html\r\n", "<html>"),
    ]
}

/// Sends the responses in turn, and then that of a model that greets.
async fn serve(listener: TcpListener, responses: Vec<Sent>, greeting: Sent) {
    let mut stalled = Vec::new();
    let mut responses = responses.into_iter();
    loop {
        let (mut connection, _) = listener.accept().await.unwrap();
        receive(&mut connection).await;
        let sent = responses.next().unwrap_or_else(|| greeting.clone());
        connection.write_all(sent.bytes.as_bytes()).await.unwrap();
        if sent.stalls {
            stalled.push(connection);
        }
    }
}

/// Reads a request to its end.
async fn receive(connection: &mut TcpStream) {
    let mut connection = BufReader::new(connection);
    let mut length = 0;
    loop {
        let mut line = String::new();
        connection.read_line(&mut line).await.unwrap();
        if let Some(value) = line.strip_prefix("content-length: ") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    connection.read_exact(&mut vec![0; length]).await.unwrap();
}

/// The events of a turn, and the results of its calls.
async fn turn(responses: Vec<Sent>, greeting: Sent, streams: bool) -> (Vec<String>, Vec<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(serve(listener, responses, greeting));
    let server = server().await;
    let model = OpenAi::new("", "m").base_url(url);
    let model = model.idle_time(Duration::from_millis(300));
    let wait = Duration::from_millis(1);
    let chat = Chat::builder(model, Toolbox::of(&server));
    let chat = chat.retries(Retries::default().backoff(Backoff::new(wait, 1, wait)));
    let options = RequestOptions::new().extra("stream", streams);
    let mut chat = chat.options(options).build().unwrap();
    let (mut events, mut results) = (Vec::new(), Vec::new());
    let mut stream = chat.stream("Go.");
    while let Some(event) = stream.next().await {
        let event = match event {
            Ok(event) => event,
            Err(error) => {
                events.push(format!("error: {error}"));
                continue;
            }
        };
        if let Event::Called(call) = &event {
            results.push(match &call.result {
                Ok(output) => output.text().into_owned(),
                Err(error) => error.to_string(),
            });
        }
        events.push(short(&event));
    }
    (events, results)
}

/// The events and results of a turn with each of two responses, the events of a stream and a whole completion.
async fn both(sent: [Sent; 2]) -> [(Vec<String>, Vec<String>); 2] {
    let [stream, whole] = sent;
    let [greeting, greeting_at_once] = text("Hello.", "stop");
    [
        turn(vec![stream], greeting, true).await,
        turn(vec![whole], greeting_at_once, false).await,
    ]
}

/// The end of a turn that begins anew with a greeting.
const GREETED: [&str; 3] = ["text Hello.", "step 1 with 2 messages", "done Answered"];
/// The end of a turn whose first step has a result that the model reads.
const READ: [&str; 4] = [
    "step 1 with 3 messages",
    "text Hello.",
    "step 2 with 1 messages",
    "done Answered",
];

#[timed_test::test]
async fn requests_that_may_succeed_later_are_sent_again() {
    let limited = failure(429, "retry-after: 0\r\n");
    for fault in [
        [limited.clone(), limited],
        [failure(500, ""), failure(503, "")],
    ] {
        for (events, _) in both(fault).await {
            assert_eq!(events[0], "retry 2 after 0 s");
            assert_eq!(events[1..], GREETED);
        }
    }
    for fault in [cut(), stalled()] {
        let [(stream, _), (whole, _)] = both(fault).await;
        assert_eq!(stream[..2], ["text Hel", "retry 2 after 0 s, discard"]);
        assert_eq!(stream[2..], GREETED);
        assert_eq!(whole[0], "retry 2 after 0 s");
        assert_eq!(whole[1..], GREETED);
    }
}

#[timed_test::test]
async fn other_failures_of_a_request_end_the_turn() {
    let too_long = r#"{"error":{"message":"Too long.","code":"context_length_exceeded"}}"#;
    let too_long = response(400, "", too_long);
    let policy = r#"{"error":{"message":"No.","code":"content_filter"}}"#;
    let policy = response(400, "", policy);
    let quota = r#"{"error":{"message":"No credit.","code":"insufficient_quota"}}"#;
    let quota = response(429, "", quota);
    for (fault, error) in [
        (
            failure(401, ""),
            "the provider answered with status 401: Not now.",
        ),
        (
            failure(429, "retry-after: 121\r\n"),
            "the provider answered with status 429: Not now.",
        ),
        (
            too_long,
            "the conversation is too long for the model: Too long.",
        ),
        (policy, "the provider refused the request: No."),
        (
            quota,
            "the account at the provider is exhausted: No credit.",
        ),
    ] {
        for (events, _) in both([fault.clone(), fault]).await {
            assert_eq!(events, [format!("error: {error}")]);
        }
    }
    let [(stream, _), (whole, _)] = both(malformed()).await;
    let error = "error: the completion of the model is malformed: ";
    assert_eq!((stream.len(), &*stream[0]), (2, "text Hel"));
    assert!(
        stream[1].starts_with(&format!("{error}event 2: not JSON")),
        "{stream:?}"
    );
    assert_eq!(whole.len(), 1);
    assert!(
        whole[0].starts_with(&format!("{error}not JSON")),
        "{whole:?}"
    );
}

#[timed_test::test]
async fn mistakes_in_calls_are_results_that_the_model_reads() {
    let note = r#"{"text":"A"}"#;
    for (fault, expected) in [
        (calls(&[("add_note", "{\"te")], "tool_calls"), vec!["JSON"]),
        (
            calls(&[("add_not", note)], "tool_calls"),
            vec!["there is no tool `add_not`"],
        ),
        (
            calls(&[("add_note", "{\"te")], "length"),
            vec!["it was not run: the completion was cut off"],
        ),
        // calls with one id stay separate
        (
            calls(&[("add_note", note), ("add_note", note)], "tool_calls"),
            vec!["1", "2"],
        ),
    ] {
        for (events, results) in both(fault).await {
            assert_eq!(results.len(), expected.len(), "{events:?}");
            for (result, expected) in results.iter().zip(&expected) {
                assert!(result.contains(expected), "{result}");
            }
            let is_delta = |event: &&String| event.starts_with("delta ");
            let rest: Vec<_> = events.iter().skip_while(is_delta).collect();
            let called = rest
                .iter()
                .filter(|event| event.starts_with("called "))
                .count();
            assert_eq!(called, expected.len(), "{events:?}");
            assert_eq!(events[events.len() - READ.len()..], READ);
        }
    }
}

#[timed_test::test]
async fn completions_without_calls_end_the_turn() {
    let refusal = completion(json!({ "content": null, "refusal": "No." }), "stop");
    let filtered = text("No", "content_filter");
    let thought = json!({ "reasoning_content": "Hm.", "content": "Hello." });
    for (fault, expected) in [
        (
            text("", "stop"),
            vec!["step 1 with 1 messages", "done Answered"],
        ),
        (
            text("Hel", "length"),
            vec!["text Hel", "step 1 with 2 messages", "done Truncated"],
        ),
        (
            refusal,
            vec!["text No.", "step 1 with 2 messages", "done Refused"],
        ),
        (
            filtered,
            vec!["text No", "step 1 with 2 messages", "done Refused"],
        ),
        (
            completion(thought, "stop"),
            vec!["reasoning Hm.", GREETED[0], GREETED[1], GREETED[2]],
        ),
    ] {
        for (events, _) in both(fault).await {
            assert_eq!(events, expected);
        }
    }
}
