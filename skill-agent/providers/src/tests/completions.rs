//! Tests that a stream gives the same completion as a response without streaming.

use super::*;
use skill_agent_chat::TextPart;

fn usage(input: u64, output: u64, cached: u64, cache_writes: u64, reasoning: u64) -> Usage {
    let mut usage = Usage::new(input, output);
    (usage.cached, usage.cache_writes, usage.reasoning) = (cached, cache_writes, reasoning);
    usage
}

fn box_open_ai(server: &Server) -> Box<dyn ChatModel> {
    Box::new(open_ai(server))
}

fn box_responses(server: &Server) -> Box<dyn ChatModel> {
    Box::new(responses(server))
}

fn box_anthropic(server: &Server) -> Box<dyn ChatModel> {
    Box::new(anthropic(server))
}

fn names(collected: &Collected) -> Vec<(&str, &str)> {
    let calls = collected.calls.iter();
    calls
        .map(|(name, arguments)| (name.as_str(), arguments.as_str()))
        .collect()
}

#[tokio::test]
async fn chat_completions_streams_what_it_sends_at_once() {
    let streamed = Response::events(&[
        r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":"","refusal":null}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"reasoning_content":"Let me "}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"reasoning_content":"think 𝄞."}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"content":"I note"}},{"index":1,"delta":{"content":"other"}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"content":" é it."}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"add","arguments":""},"extra_content":{"signature":"s=="}}]}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"text\":"}}]}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":1,"id":"c2","type":"function","function":{"name":"list","arguments":"{}"}}]}}]}"#,
        r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"a\"}"}}]}}]}"#,
        r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":null}"#,
        r#"{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":2}}}"#,
        "[DONE]",
    ]);
    let whole = Response::json(
        r#"{"choices":[{"finish_reason":"tool_calls","message":{"role":"assistant","content":"I note é it.","reasoning_content":"Let me think 𝄞.","tool_calls":[
            {"id":"c1","type":"function","extra_content":{"signature":"s=="},"function":{"name":"add","arguments":"{\"text\":\"a\"}"}},
            {"id":"c2","type":"function","function":{"name":"list","arguments":"{}"}}]}}],
            "usage":{"prompt_tokens":10,"completion_tokens":5,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":2}}}"#,
    );
    let mut streamed = completion(box_open_ai, streamed).await;
    let mut whole = completion(box_open_ai, whole).await;
    assert_eq!(
        names(&streamed),
        [("add", r#"{"text":"a"}"#), ("list", "{}")]
    );
    assert_eq!(
        (&*streamed.text, &*streamed.reasoning),
        ("I note é it.", "Let me think 𝄞.")
    );
    assert_eq!(streamed.finish, Some(Finish::Calls));
    assert_eq!(streamed.usage, Some(usage(10, 5, 4, 0, 2)));
    assert_eq!(streamed.parts.len(), 4);
    same_json(&mut streamed);
    same_json(&mut whole);
    assert_eq!(streamed, whole);
}

/// Sorts the keys of items, because a message that arrives in pieces has no key order.
fn same_json(collected: &mut Collected) {
    for part in &mut collected.parts {
        if let MessagePart::Call(CallPart {
            item: Some(item), ..
        })
        | MessagePart::Reasoning(TextPart {
            item: Some(item), ..
        }) = part
        {
            let value: serde_json::Value = serde_json::from_str(&item.json).unwrap();
            let mut keys: Vec<String> = value
                .as_object()
                .unwrap()
                .iter()
                .map(|(key, value)| format!("{key}={value}"))
                .collect();
            keys.sort();
            item.json = keys.join(",");
        }
    }
}

#[tokio::test]
async fn anthropic_streams_what_it_sends_at_once() {
    let streamed = Response::stream(concat!(
        "event: message_start\ndata: {\"type\":\"message_start\",\"message\":{\"content\":[],\"usage\":{\"input_tokens\":3,\"cache_read_input_tokens\":5,\"cache_creation_input_tokens\":2,\"output_tokens\":1}}}\n\n",
        "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\",\"thinking\":\"\",\"signature\":\"\"}}\n\n",
        "event: ping\ndata: {\"type\": \"ping\"}\n\n",
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"Hm, é\"}}\n\n",
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"signature_delta\",\"signature\":\"Eo8=\"}}\n\n",
        "event: content_block_stop\ndata: {\"type\":\"content_block_stop\",\"index\":0}\n\n",
        "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":1,\"content_block\":{\"type\":\"redacted_thinking\",\"data\":\"opaque\"}}\n\n",
        "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":2,\"content_block\":{\"type\":\"text\",\"text\":\"\"}}\n\n",
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":2,\"delta\":{\"type\":\"text_delta\",\"text\":\"I note\"}}\n\n",
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":2,\"delta\":{\"type\":\"citations_delta\",\"citation\":{\"url\":\"u\"}}}\n\n",
        "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":3,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t1\",\"name\":\"add\",\"input\":{}}}\n\n",
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":3,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"{\\\"text\\\": \"}}\n\n",
        "event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"index\":3,\"delta\":{\"type\":\"input_json_delta\",\"partial_json\":\"1.50}\"}}\n\n",
        "event: content_block_start\ndata: {\"type\":\"content_block_start\",\"index\":4,\"content_block\":{\"type\":\"tool_use\",\"id\":\"t2\",\"name\":\"list\",\"input\":{}}}\n\n",
        "event: message_delta\ndata: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"tool_use\",\"stop_sequence\":null},\"usage\":{\"output_tokens\":9,\"input_tokens\":null}}\n\n",
        "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n",
    ));
    let whole = Response::json(
        r#"{"type":"message","role":"assistant","stop_reason":"tool_use","content":[{"type":"thinking","thinking":"Hm, é","signature":"Eo8="},{"type":"redacted_thinking","data":"opaque"},{"citations":[{"url":"u"}],"type":"text","text":"I note"},{"type":"tool_use","id":"t1","name":"add","input":{"text": 1.50}},{"type":"tool_use","id":"t2","name":"list","input":{}}],
            "usage":{"input_tokens":3,"cache_read_input_tokens":5,"cache_creation_input_tokens":2,"output_tokens":9}}"#,
    );
    let streamed = completion(box_anthropic, streamed).await;
    assert_eq!((&*streamed.text, &*streamed.reasoning), ("I note", "Hm, é"));
    assert_eq!(streamed.usage, Some(usage(10, 9, 5, 2, 0)));
    assert_eq!(streamed.finish, Some(Finish::Calls));
    assert_eq!(
        names(&streamed),
        [("add", r#"{"text": 1.50}"#), ("list", "")]
    );
    let whole = completion(box_anthropic, whole).await;
    assert_eq!(streamed.parts, whole.parts);
    assert_eq!(
        (streamed.usage, streamed.finish),
        (whole.usage, whole.finish)
    );
    assert_eq!(
        (streamed.text, streamed.reasoning),
        (whole.text, whole.reasoning)
    );
}

#[tokio::test]
async fn responses_streams_what_it_sends_at_once() {
    let reasoning = r#"{"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Hm."}],"encrypted_content":"gAAA"}"#;
    let message = r#"{"type":"message","id":"msg_1","status":"completed","role":"assistant","content":[{"type":"output_text","text":"I note","annotations":[]},{"type":"output_text","text":" it."}]}"#;
    let call = r#"{"type":"function_call","id":"fc_1","call_id":"c1","name":"add","arguments":"{\"text\":\"a\"}","status":"completed"}"#;
    let rest = r#""status":"completed","error":null,"incomplete_details":null,"usage":{"input_tokens":10,"output_tokens":5,"input_tokens_details":{"cached_tokens":4},"output_tokens_details":{"reasoning_tokens":2}}"#;
    let response = format!(r#"{{"id":"resp_1",{rest},"output":[{reasoning},{message},{call}]}}"#);
    let without_output = format!(r#"{{"id":"resp_1",{rest},"output":[]}}"#);
    let whole = completion(box_responses, Response::json(&response)).await;
    for last in [&response, &without_output] {
        let done = |index: usize, item: &str| {
            format!(
                r#"{{"type":"response.output_item.done","output_index":{index},"item":{item}}}"#
            )
        };
        let streamed = completion(box_responses, Response::events(&[
            r#"{"type":"response.created","response":{"id":"resp_1","status":"in_progress","output":[],"error":null}}"#,
            r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"reasoning","id":"rs_1","summary":[]}}"#,
            r#"{"type":"response.reasoning_summary_text.delta","output_index":0,"delta":"Hm."}"#,
            &done(0, reasoning),
            r#"{"type":"response.output_text.delta","output_index":1,"delta":"I note"}"#,
            r#"{"type":"response.output_text.delta","output_index":1,"delta":" it."}"#,
            &done(1, message),
            r#"{"type":"response.output_item.added","output_index":2,"item":{"type":"function_call","id":"fc_1","call_id":"c1","name":"add","arguments":""}}"#,
            r#"{"type":"response.function_call_arguments.delta","output_index":2,"delta":"{\"text\":"}"#,
            r#"{"type":"response.function_call_arguments.delta","output_index":2,"delta":"\"a\"}"}"#,
            &done(2, call),
            &format!(r#"{{"type":"response.completed","response":{last}}}"#),
        ]))
        .await;
        assert_eq!(streamed.text, "I note it.");
        assert_eq!(names(&streamed), [("add", r#"{"text":"a"}"#)]);
        assert_eq!(streamed.usage, Some(usage(10, 5, 4, 0, 2)));
        assert_eq!(streamed.finish, Some(Finish::Calls));
        assert_eq!(streamed, whole);
    }
}

#[tokio::test]
async fn calls_without_numbers_or_with_one_number_are_told_apart() {
    for (numbers, name) in [
        (["", ""], "none"),
        ([r#""index":0,"#, r#""index":0,"#], "one"),
    ] {
        let [first, second] = numbers;
        let collected = completion(box_open_ai, Response::events(&[
            &format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{{{first}"id":"a","function":{{"name":"add","arguments":"{{}}"}}}}]}}}}]}}"#),
            &format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{{{second}"id":"b","function":{{"name":"add","arguments":"{{\"a\""}}}}]}}}}]}}"#),
            &format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{{{second}"function":{{"arguments":":1}}"}}}}]}}}}]}}"#),
            r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
        ]))
        .await;
        assert_eq!(
            names(&collected),
            [("add", "{}"), ("add", r#"{"a":1}"#)],
            "{name}"
        );
        assert_eq!(collected.finish, Some(Finish::Calls));
    }
}

#[tokio::test]
async fn an_empty_completion_has_no_parts() {
    let streamed = Response::events(&[
        r#"{"choices":[{"delta":{"content":""},"finish_reason":"stop"}]}"#,
        "[DONE]",
    ]);
    let collected = completion(box_open_ai, streamed).await;
    assert_eq!(
        (collected.parts, collected.finish),
        (vec![], Some(Finish::Answered))
    );
    let whole =
        Response::json(r#"{"content":[{"type":"text","text":""}],"stop_reason":"end_turn"}"#);
    let collected = completion(box_anthropic, whole).await;
    assert_eq!(
        (collected.parts, collected.finish),
        (vec![], Some(Finish::Answered))
    );
    let whole = Response::json(r#"{"output":[],"status":"completed"}"#);
    let collected = completion(box_responses, whole).await;
    assert_eq!(
        (collected.parts, collected.finish),
        (vec![], Some(Finish::Answered))
    );
}

#[tokio::test]
async fn a_call_that_the_limit_of_tokens_cuts_is_truncated() {
    let streamed = Response::events(&[
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"add","arguments":"{\"te"}}]}}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"length"}]}"#,
        "[DONE]",
    ]);
    let collected = completion(box_open_ai, streamed).await;
    assert_eq!(
        (names(&collected), collected.finish.clone()),
        (vec![("add", r#"{"te"#)], Some(Finish::Truncated))
    );
    let streamed = Response::events(&[
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"a","name":"add","input":{}}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":"{\"te"}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"max_tokens"}}"#,
        r#"{"type":"message_stop"}"#,
    ]);
    let collected = completion(box_anthropic, streamed).await;
    assert_eq!(collected.finish, Some(Finish::Truncated));
    let MessagePart::Call(call) = &collected.parts[0] else {
        panic!()
    };
    assert_eq!(call.call.arguments, r#"{"te"#);
    let streamed = Response::events(&[
        r#"{"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[{"type":"function_call","call_id":"a","name":"add","arguments":"{\"te","status":"incomplete"}]}}"#,
    ]);
    let collected = completion(box_responses, streamed).await;
    assert_eq!(collected.finish, Some(Finish::Truncated));
}

#[tokio::test]
async fn a_refusal_is_shown_and_is_no_error() {
    let streamed = Response::events(&[
        r#"{"choices":[{"delta":{"refusal":"I cannot"}}]}"#,
        r#"{"choices":[{"delta":{"refusal":" do this."},"finish_reason":"stop"}]}"#,
    ]);
    let collected = completion(box_open_ai, streamed).await;
    assert_eq!(
        (&*collected.text, collected.finish),
        ("I cannot do this.", Some(Finish::Refused))
    );
    let streamed = Response::events(&[
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"I"}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"refusal"}}"#,
        r#"{"type":"message_stop"}"#,
    ]);
    let collected = completion(box_anthropic, streamed).await;
    assert_eq!(
        (&*collected.text, collected.finish),
        ("I", Some(Finish::Refused))
    );
    let streamed = Response::events(&[
        r#"{"type":"response.refusal.delta","delta":"I cannot."}"#,
        r#"{"type":"response.completed","response":{"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"I cannot."}]}]}}"#,
    ]);
    let collected = completion(box_responses, streamed).await;
    assert_eq!(
        (&*collected.text, collected.finish),
        ("I cannot.", Some(Finish::Refused))
    );
}

#[tokio::test]
async fn a_stream_may_end_without_its_last_event_when_the_reason_to_stop_is_known() {
    let last = r#"{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}"#;
    let collected = completion(box_open_ai, Response::events(&[last])).await;
    assert_eq!(
        (&*collected.text, collected.finish),
        ("a", Some(Finish::Answered))
    );
}

/// Turns that follow each other at once. A client may open a spare connection while the last one is returned to its pool.
const TURNS: usize = 8;

/// Returns the number of connections that the turns open.
async fn connections(response: impl Fn() -> Response) -> usize {
    let server = Server::start((0..TURNS).map(|_| response())).await;
    let model = open_ai(&server);
    for _ in 0..TURNS {
        // a chat drops the stream at the end of the completion
        let mut events = model.stream(question());
        while let Some(event) = events.next().await {
            if matches!(event.unwrap(), ModelEvent::Finish(_)) {
                break;
            }
        }
    }
    assert_eq!(server.received().len(), TURNS);
    server.connections()
}

#[tokio::test]
async fn a_connection_is_used_again_after_a_stream() {
    let response = || {
        Response::events(&[
            r#"{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}"#,
            "[DONE]",
        ])
    };
    assert!(connections(response).await < TURNS);
    assert!(connections(|| response().late()).await < TURNS);
    // llama.cpp closes the connection then, and announces it too late
    assert!(connections(|| response().used_once()).await >= TURNS);
}

#[tokio::test]
async fn a_piece_belongs_to_the_last_block_of_its_number() {
    let collected = completion(box_anthropic, Response::events(&[
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"a"}}"#,
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"b"}}"#,
        r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"c"}}"#,
        r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#,
        r#"{"type":"message_stop"}"#,
    ]))
    .await;
    let parts = ["a", "bc"].map(|text| TextPart::new(text).into());
    assert_eq!((&*collected.text, collected.parts), ("abc", parts.to_vec()));
}
