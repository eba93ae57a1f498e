//! Tests of hostile events and completions. Each leads to a typed error or a completion.

use super::hostile::malformed;
use super::*;

#[tokio::test]
async fn json_that_is_nested_deeply_is_malformed_or_kept() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let chat = format!(r#"{{"choices":[{{"delta":{{"content":{deep}}}}}]}}"#);
    let responses = format!(r#"{{"type":"response.output_item.done","item":{deep}}}"#);
    let anthropic = format!(r#"{{"type":"content_block_start","index":0,"content_block":{deep}}}"#);
    let sent = [chat, responses, anthropic].map(|event| Response::events(&[&event]));
    let server = Server::start(sent).await;
    for model in models(&server) {
        malformed(&error(&*model).await, "event 1: ");
    }
    let chat = format!(
        r#"{{"choices":[{{"message":{{"content":"a","x":{deep}}},"finish_reason":"stop"}}]}}"#
    );
    let responses = format!(r#"{{"status":"completed","output":[{{"type":"x","y":{deep}}}]}}"#);
    let anthropic =
        format!(r#"{{"stop_reason":"end_turn","content":[{{"type":"x","y":{deep}}}]}}"#);
    let sent = [chat, responses, anthropic].map(|body| Response::json(&body));
    let server = Server::start(sent).await;
    for model in models(&server) {
        let collected = collected(events(&*model, question()).await);
        assert_eq!(collected.finish, Some(Finish::Answered));
        assert!(!collected.parts.is_empty());
    }
}

#[tokio::test]
async fn numbers_of_calls_may_be_any() {
    for index in [
        "18446744073709551615",
        "18446744073709551616",
        "-1",
        "0.5",
        "1e999",
        "\"0\"",
        "null",
        "[]",
    ] {
        let call = format!(
            r#"{{"choices":[{{"delta":{{"tool_calls":[{{"index":{index},"id":"c","function":{{"name":"add","arguments":"{{"}}}}]}}}}]}}"#
        );
        let more = format!(
            r#"{{"choices":[{{"delta":{{"tool_calls":[{{"index":{index},"function":{{"arguments":"}}"}}}}]}}}}]}}"#
        );
        let end = r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#;
        let server = Server::start([Response::events(&[&call, &more, end])]).await;
        let mut events = events(&open_ai(&server), question()).await;
        if index == "1e999" {
            malformed(&events.pop().unwrap().unwrap_err(), "number out of range");
            continue;
        }
        assert_eq!(
            collected(events).calls,
            [("add".to_owned(), "{}".to_owned())],
            "{index}"
        );
    }
    let huge = "18446744073709551616";
    let added = format!(
        r#"{{"type":"response.output_item.added","output_index":{huge},"item":{{"type":"function_call","name":"add"}}}}"#
    );
    let delta = format!(
        r#"{{"type":"response.function_call_arguments.delta","output_index":{huge},"delta":"{{}}"}}"#
    );
    let done = r#"{"type":"response.completed","response":{"status":"completed","output":[{"type":"function_call","call_id":"c","name":"add","arguments":"{}"}]}}"#;
    let server = Server::start([Response::events(&[&added, &delta, done])]).await;
    let read_at = collected(events(&responses(&server), question()).await);
    assert_eq!(read_at.calls, [("add".to_owned(), "{}".to_owned())]);
    let start = format!(
        r#"{{"type":"content_block_start","index":{huge},"content_block":{{"type":"tool_use","id":"c","name":"add","input":{{}}}}}}"#
    );
    let delta = format!(
        r#"{{"type":"content_block_delta","index":{huge},"delta":{{"type":"input_json_delta","partial_json":"{{}}"}}}}"#
    );
    let stop = r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"}}"#;
    let last = r#"{"type":"message_stop"}"#;
    let server = Server::start([Response::events(&[&start, &delta, stop, last])]).await;
    let read_at = collected(events(&anthropic(&server), question()).await);
    assert_eq!(read_at.calls, [("add".to_owned(), "{}".to_owned())]);
}

#[tokio::test]
async fn a_call_without_a_name_is_malformed_and_is_not_shown() {
    let piece =
        r#"{"choices":[{"delta":{"tool_calls":[{"index":7,"function":{"arguments":"{}"}}]}}]}"#;
    let end = r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#;
    let whole = [
        r#"{"choices":[{"message":{"tool_calls":[{"id":"c","type":"function","function":{"name":"","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#,
        r#"{"status":"completed","output":[{"type":"function_call","call_id":"c","name":"","arguments":"{}"}]}"#,
        r#"{"stop_reason":"tool_use","content":[{"type":"tool_use","id":"c","name":"","input":{}}]}"#,
    ];
    let sent = [Response::events(&[piece, end])].into_iter();
    let server = Server::start(sent.chain(whole.map(Response::json))).await;
    let [chat, responses, anthropic] = models(&server);
    for model in [&chat, &chat, &responses, &anthropic] {
        let mut events = events(&**model, question()).await;
        malformed(
            &events.pop().unwrap().unwrap_err(),
            "expected calls with names",
        );
        assert_eq!(events, []);
    }
    // a name that arrives late
    let named = r#"{"choices":[{"delta":{"tool_calls":[{"index":7,"id":"c","function":{"name":"add"}}]}}]}"#;
    let server = Server::start([Response::events(&[piece, named, end])]).await;
    let collected = collected(events(&open_ai(&server), question()).await);
    assert_eq!(collected.calls, [("add".to_owned(), "{}".to_owned())]);
}

#[tokio::test]
async fn pieces_of_a_call_that_never_begins_are_not_shown() {
    let delta =
        r#"{"type":"response.function_call_arguments.delta","output_index":7,"delta":"{}"}"#;
    let last = r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#;
    let server = Server::start([Response::events(&[delta, last])]).await;
    let collected = collected(events(&responses(&server), question()).await);
    assert_eq!(
        (collected.calls.len(), collected.finish),
        (0, Some(Finish::Answered))
    );
}

#[tokio::test]
async fn of_several_reasons_to_stop_the_last_counts() {
    let chat = [
        r#"{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}"#,
        r#"{"choices":[{"delta":{"content":"b"},"finish_reason":"length"}]}"#,
        "[DONE]",
        r#"{"choices":[{"delta":{"content":"c"},"finish_reason":"stop"}]}"#,
    ];
    let anthropic = [
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"ab"}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"max_tokens"}}"#,
        r#"{"type":"message_stop"}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#,
    ];
    let output = r#""output":[{"type":"message","content":[{"type":"output_text","text":"ab"}]}]"#;
    let cut = format!(
        r#"{{"type":"response.incomplete","response":{{"status":"incomplete","incomplete_details":{{"reason":"max_output_tokens"}},{output}}}}}"#
    );
    let done =
        format!(r#"{{"type":"response.completed","response":{{"status":"completed",{output}}}}}"#);
    let responses = [cut.as_str(), done.as_str()];
    let sent = [&chat[..], &responses[..], &anthropic[..]].map(Response::events);
    let server = Server::start(sent).await;
    for model in models(&server) {
        let collected = collected(events(&*model, question()).await);
        assert_eq!(
            (&*collected.text, collected.finish),
            ("ab", Some(Finish::Truncated))
        );
    }
}

#[tokio::test]
async fn counts_of_tokens_that_are_no_counts_are_zero() {
    for count in ["-1", "1e300", "\"7\"", "[]", "18446744073709551616", "0.5"] {
        let usage = format!(
            r#"{{"prompt_tokens":{count},"completion_tokens":3,"input_tokens":{count},"output_tokens":3}}"#
        );
        let body = format!(
            r#"{{"choices":[{{"finish_reason":"stop","message":{{"content":"a"}}}}],"status":"completed","output":[],"content":[],"stop_reason":"end_turn","usage":{usage}}}"#
        );
        let server = Server::start((0..3).map(|_| Response::json(&body))).await;
        for model in models(&server) {
            let collected = collected(events(&*model, question()).await);
            assert_eq!(collected.usage, Some(Usage::new(0, 3)), "{count}");
        }
    }
    let body = r#"{"choices":[{"finish_reason":"stop","message":{"content":"a"}}],"status":"completed","output":[],"content":[],"stop_reason":"end_turn","usage":"private"}"#;
    let server = Server::start((0..3).map(|_| Response::json(body))).await;
    for model in models(&server) {
        let collected = collected(events(&*model, question()).await);
        assert_eq!(collected.usage.unwrap_or_default(), Usage::default());
    }
}

#[tokio::test]
async fn a_completion_at_once_has_a_few_thousand_parts() {
    let list = |item: &str| vec![item; 4097].join(",");
    let call = r#"{"id":"c","type":"function","function":{"name":"add","arguments":"{}"}}"#;
    let chat = format!(
        r#"{{"choices":[{{"finish_reason":"tool_calls","message":{{"tool_calls":[{}]}}}}]}}"#,
        list(call)
    );
    let responses = format!(
        r#"{{"status":"completed","output":[{}]}}"#,
        list(r#"{"type":"x"}"#)
    );
    let anthropic = format!(
        r#"{{"stop_reason":"end_turn","content":[{}]}}"#,
        list(r#"{"type":"text","text":"a"}"#)
    );
    let sent = [chat, responses, anthropic].map(|body| Response::json(&body));
    let server = Server::start(sent).await;
    for model in models(&server) {
        malformed(&error(&*model).await, "at most 4096 entries");
    }
}

#[tokio::test]
async fn half_a_surrogate_pair_is_malformed() {
    let chat = r#"{"choices":[{"delta":{"content":"\ud83d"}}]}"#;
    let responses = r#"{"type":"response.output_text.delta","delta":"\ud83d"}"#;
    let anthropic = r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"\ud83d"}}"#;
    let sent = [chat, responses, anthropic].map(|event| Response::events(&[event]));
    let server = Server::start(sent).await;
    for model in models(&server) {
        malformed(&error(&*model).await, "event 1: ");
    }
}

/// A list of empty lists takes ten times the memory of its JSON.
#[tokio::test]
async fn values_that_are_kept_have_a_limit_of_memory() {
    let list = format!("[{}[]]", "[],".repeat(200_000));
    let event = |n: usize| format!(r#"{{"choices":[{{"delta":{{"field_{n}":{{"a":{list}}}}}}}]}}"#);
    let events: Vec<String> = (0..40).map(event).collect();
    let events: Vec<&str> = events.iter().map(String::as_str).collect();
    let server = Server::start([Response::events(&events)]).await;
    let error = error(&open_ai(&server)).await;
    malformed(
        &error,
        "`choices[0].delta`: expected values of at most 128 MiB in memory",
    );
}
