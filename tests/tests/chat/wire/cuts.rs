//! Streams that are cut, turns that are left, and servers that never come to an end.

use super::wires;
use super::{Format, builder, model};
use crate::support::{assert_whole, lines, server};
use model_server::{Response, Server};
use skill_agent::chat::genai::adapter::AdapterKind;
use skill_agent::chat::{ChatError, Event, Limits, ModelError, Stop};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Reasoning, text and a call in a format, as short as it can be: it is cut at every byte.
fn recorded(format: Format) -> &'static [&'static str] {
    match format {
        Format::Responses => &[
            r#"{"type":"response.reasoning_summary_text.delta","delta":"é."}"#,
            r#"{"type":"response.output_text.delta","delta":"So."}"#,
            r#"{"type":"response.output_item.done","item":{"type":"message","content":[{"type":"output_text","text":"So."}]}}"#,
            r#"{"type":"response.output_item.done","item":{"type":"function_call","call_id":"c1","name":"add_note","arguments":"{\"text\":\"a\"}"}}"#,
            r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#,
        ],
        Format::Anthropic => &[
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"é.","signature":"S"}}"#,
            r#"{"type":"content_block_start","index":1,"content_block":{"type":"text","text":"So."}}"#,
            r#"{"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t1","name":"add_note","input":{}}}"#,
            r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"te"}}"#,
            r#"{"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"xt\":\"a\"}"}}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#,
            r#"{"type":"message_stop"}"#,
        ],
        _ => &[
            r#"{"choices":[{"delta":{"reasoning_content":"é."}}]}"#,
            r#"{"choices":[{"delta":{"content":"So."}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"add_note","arguments":"{\"te"}}]}}]}"#,
            r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"xt\":\"a\"}"}}]}}]}"#,
            r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
            "[DONE]",
        ],
    }
}

/// Cuts a stream at every byte: a turn ends well, or with a typed error and without a call.
async fn cut_at_every_byte(format: Format) {
    let agent = server().await;
    let text = wires::events(recorded(format)).text();
    let (models, mut runs) = (Server::start([]).await, 0);
    let model = model(&models.url, format);
    for end in 0..=text.len() {
        models.respond([
            Response::stream(&text.as_bytes()[..end]),
            wires::plain(format),
        ]);
        let mut chat = builder(model.clone(), &agent).build().unwrap();
        match chat.send("Hello?").await {
            Ok(turn) => {
                runs += 1;
                assert_eq!(
                    (turn.stop, turn.text(), turn.calls.len()),
                    (Stop::Answered, "Done.", 1),
                    "{end}"
                );
                assert_whole(chat.history());
            }
            Err(ChatError::Model(ModelError::CutOff { .. })) => assert!(chat.history().is_empty()),
            Err(error) => panic!("cut at byte {end}: {error}"),
        }
    }
    assert!(runs > 0, "the whole stream is a completion");
    assert_eq!(lines(&agent).await, vec!["a"; runs]);
}

#[timed_test::test]
async fn a_stream_of_chat_completions_that_is_cut_runs_no_call() {
    cut_at_every_byte(Format::ChatCompletions).await;
}

#[timed_test::test]
async fn a_stream_of_responses_that_is_cut_runs_no_call() {
    cut_at_every_byte(Format::Responses).await;
}

#[timed_test::test]
async fn a_stream_of_anthropic_that_is_cut_runs_no_call() {
    cut_at_every_byte(Format::Anthropic).await;
}

/// Cancels a turn after each event of its completion.
#[timed_test::test]
async fn a_turn_that_is_cancelled_within_a_stream_leaves_no_half_message() {
    let agent = server().await;
    for format in [
        Format::ChatCompletions,
        Format::Responses,
        Format::Anthropic,
    ] {
        let events = recorded(format);
        let is_end = |event: &&&str| {
            ["finish_reason", "stop_reason", "response.completed"]
                .iter()
                .any(|end| event.contains(end))
        };
        let before_end = events.iter().take_while(|event| !is_end(event)).count();
        for count in 0..=before_end {
            let stalled = wires::events(&events[..count]).response().stall();
            let models = Server::start([stalled, wires::plain(format)]).await;
            let mut chat = builder(model(&models.url, format), &agent).build().unwrap();
            let canceller = chat.canceller();
            let mut turn = chat.stream("Hello?");
            let cancelled = loop {
                let next = turn.next();
                match tokio::time::timeout(Duration::from_millis(20), next).await {
                    Err(_) => canceller.cancel(),
                    Ok(Some(Ok(Event::Done(turn)))) => break turn,
                    Ok(Some(Ok(_))) => {}
                    Ok(other) => panic!("{other:?}"),
                }
            };
            drop(turn);
            assert_eq!(cancelled.stop, Stop::Cancelled);
            assert!(chat.history().is_empty());
            models.left().await;
            assert_eq!(chat.send("Hello?").await.unwrap().text(), "Done.");
        }
    }
    assert!(lines(&agent).await.is_empty());
}

/// A server that begins its response with interim ones, without end. hyper reads a hundred thousand of them faster than it looks up.
/// Each hundred thousand is counted; it ends with the counts.
fn without_end() -> (String, UnboundedReceiver<()>) {
    let (counted, counts) = unbounded_channel();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for connection in listener.incoming() {
            let mut connection = connection.unwrap();
            let counted = counted.clone();
            thread::spawn(move || {
                let mut request = [0; 1 << 16];
                let hints = "HTTP/1.1 103 \r\n\r\n".repeat(100_000);
                if connection.read(&mut request).is_ok() {
                    while counted.send(()).is_ok() {
                        if connection.write_all(hints.as_bytes()).is_err() {
                            break;
                        }
                    }
                }
            });
        }
    });
    (url, counts)
}

#[timed_test::test]
async fn interim_responses_without_end_stop_neither_the_time_nor_the_canceller() {
    let agent = server().await;
    let (url, _counts) = without_end();
    for format in [Format::ChatCompletions, Format::GenAi(AdapterKind::OpenAI)] {
        let limits = Limits::default().time(Duration::from_millis(100));
        let timed = builder(model(&url, format), &agent).limits(limits);
        let mut timed = timed.build().unwrap();
        assert_eq!(timed.send("Hello?").await.unwrap().stop, Stop::Time);

        let mut chat = builder(model(&url, format), &agent).build().unwrap();
        let canceller = chat.canceller();
        tokio::spawn(async move {
            tokio::time::sleep(Duration::from_millis(50)).await;
            canceller.cancel();
        });
        assert_eq!(chat.send("Hello?").await.unwrap().stop, Stop::Cancelled);
    }
}

#[timed_test::test]
async fn a_server_that_floods_its_connection_does_not_stop_the_chats_with_others() {
    let agent = server().await;
    let (url, mut counts) = without_end();
    let flooding = model(&url, Format::ChatCompletions);
    let mut flooded = builder(flooding, &agent).build().unwrap();
    let canceller = flooded.canceller();
    let flooded = tokio::spawn(async move { flooded.send("Hello?").await });
    // more than the buffers of a connection have room for
    for _ in 0..8 {
        counts.recv().await.unwrap();
    }
    // with many servers in one process, one of them may share the thread
    let mut answers = tokio::task::JoinSet::new();
    for _ in 0..3 {
        let models = Server::start([wires::plain(Format::ChatCompletions)]).await;
        let other = model(&models.url, Format::ChatCompletions);
        let mut chat = builder(other, &agent).build().unwrap();
        answers.spawn(async move {
            let turn = chat.send("Hello?").await.unwrap();
            drop(models);
            turn.text().to_owned()
        });
    }
    assert_eq!(answers.join_next().await.unwrap().unwrap(), "Done.");
    assert!(!flooded.is_finished());
    canceller.cancel();
    assert_eq!(flooded.await.unwrap().unwrap().stop, Stop::Cancelled);
}
