//! Tests of completions in the adapters' formats.

use super::*;

#[tokio::test]
async fn a_completion_of_chat_completions_has_text_reasoning_and_the_text_of_calls() {
    let response = completions(&[
        r#"{"choices":[{"delta":{"role":"assistant","content":"","reasoning":"H"}}]}"#,
        r#"{"choices":[{"delta":{"reasoning":"m."}}]}"#,
        r#"{"choices":[{"delta":{"content":"A"}}]}"#,
        r#"{"choices":[{"delta":{"content":"é."}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c1","function":{"name":"add","arguments":""}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"{\"text\": 1.50,"}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":1,"id":"c2","function":{"name":"list","arguments":""}}]}}]}"#,
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":"\"text\":2}"}}]}}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
        r#"{"choices":[],"usage":{"prompt_tokens":100,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":64},"completion_tokens_details":{"reasoning_tokens":8}}}"#,
    ]);
    let collected = collected_from(AdapterKind::OpenAI, response).await;
    assert_eq!((&*collected.text, &*collected.reasoning), ("Aé.", "Hm."));
    let pieces = [("add", r#"{"text": 1.50,"text":2}"#), ("list", "")];
    let pieces = pieces.map(|(name, arguments)| (name.to_owned(), arguments.to_owned()));
    assert_eq!(collected.calls, pieces);
    assert_eq!(
        calls(&collected.parts),
        [
            // repeated keys and the form of numbers are kept
            (Some("c1"), "add", r#"{"text": 1.50,"text":2}"#),
            (Some("c2"), "list", "{}"),
        ]
    );
    assert!(matches!(&collected.parts[0], MessagePart::Reasoning(part) if part.text == "Hm."));
    assert!(matches!(&collected.parts[1], MessagePart::Text(part) if part.text == "Aé."));
    let mut usage = Usage::new(100, 20);
    (usage.cached, usage.reasoning) = (64, 8);
    assert_eq!(
        (collected.usage, collected.finish),
        (Some(usage), Some(Finish::Calls))
    );
}

#[tokio::test]
async fn a_completion_of_gemini_has_text_thoughts_and_calls_without_ids() {
    let response = Response::events(&[
        r#"{"candidates":[{"content":{"parts":[{"text":"Hm.","thought":true}]}}],"usageMetadata":{"promptTokenCount":10}}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"A"}]}}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"text":"é."}]}}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"add","args":{"text":"a"}},"thoughtSignature":"s1"}]}}]}"#,
        r#"{"candidates":[{"content":{"parts":[{"functionCall":{"name":"add","args":{"text":"b"}}}]},"finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":4,"thoughtsTokenCount":3,"cachedContentTokenCount":6}}"#,
    ]);
    let collected = collected_from(AdapterKind::Gemini, response).await;
    assert_eq!((&*collected.text, &*collected.reasoning), ("Aé.", "Hm."));
    assert_eq!(collected.calls.len(), 2);
    assert_eq!(
        calls(&collected.parts),
        [
            (None, "add", r#"{"text":"a"}"#),
            (None, "add", r#"{"text":"b"}"#)
        ]
    );
    let mut usage = Usage::new(10, 7);
    (usage.cached, usage.reasoning) = (6, 3);
    assert_eq!(
        (collected.usage, collected.finish),
        (Some(usage), Some(Finish::Calls))
    );
}

#[tokio::test]
async fn a_completion_of_anthropic_has_calls_in_pieces_and_signed_reasoning() {
    let response = Response::stream(
        [
            ("message_start", r#"{"message":{"usage":{"input_tokens":5,"cache_read_input_tokens":3,"cache_creation_input_tokens":2,"output_tokens":1}}}"#),
            ("content_block_start", r#"{"index":0,"content_block":{"type":"thinking","thinking":""}}"#),
            ("content_block_delta", r#"{"index":0,"delta":{"type":"thinking_delta","thinking":"Hm."}}"#),
            ("content_block_delta", r#"{"index":0,"delta":{"type":"signature_delta","signature":"s=="}}"#),
            ("content_block_stop", r#"{"index":0}"#),
            ("content_block_start", r#"{"index":1,"content_block":{"type":"tool_use","id":"t1","name":"add","input":{}}}"#),
            ("content_block_delta", r#"{"index":1,"delta":{"partial_json":"{\"te"}}"#),
            ("ping", "{}"),
            ("content_block_delta", r#"{"index":1,"delta":{"partial_json":"xt\":1.50}"}}"#),
            ("content_block_stop", r#"{"index":1}"#),
            ("message_delta", r#"{"delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}}"#),
            ("message_stop", "{}"),
        ]
        .map(|(kind, data)| format!("event: {kind}\ndata: {data}\n\n"))
        .concat(),
    );
    let collected = collected_from(AdapterKind::Anthropic, response).await;
    let call = ("add".to_owned(), r#"{"text":1.50}"#.to_owned());
    assert_eq!(collected.calls, [call]);
    assert_eq!(
        calls(&collected.parts),
        [(Some("t1"), "add", r#"{"text":1.50}"#)]
    );
    let MessagePart::Reasoning(reasoning) = &collected.parts[0] else {
        panic!("{:?}", collected.parts);
    };
    let item = reasoning.item.as_ref().unwrap();
    assert_eq!(item.provider, "genai_anthropic");
    assert_eq!(item.json, r#"[{"signature":"s=="},{"reasoning":"Hm."}]"#);
    let mut usage = Usage::new(10, 9);
    (usage.cached, usage.cache_writes) = (3, 2);
    assert_eq!(
        (collected.usage, collected.finish),
        (Some(usage), Some(Finish::Calls))
    );
}

#[tokio::test]
async fn calls_with_one_id_stay_apart() {
    let mut anthropic = String::from("event: message_start\ndata: {\"message\":{}}\n\n");
    for (index, number) in [(0, "1"), (1, "2")] {
        let block = r#"{"type":"tool_use","id":"t1","name":"add","input":{}}"#;
        let json = format!(r#"{{\"text\":{number}}}"#);
        anthropic += &format!(
            "event: content_block_start\ndata: {{\"index\":{index},\"content_block\":{block}}}\n\n\
             event: content_block_delta\ndata: {{\"index\":{index},\"delta\":{{\"partial_json\":\"{json}\"}}}}\n\n\
             event: content_block_stop\ndata: {{\"index\":{index}}}\n\n"
        );
    }
    anthropic += "event: message_delta\ndata: {\"delta\":{\"stop_reason\":\"tool_use\"}}\n\n";
    anthropic += "event: message_stop\ndata: {}\n\n";
    let whole = |index: usize, number: &str| {
        format!(
            r#"{{"choices":[{{"delta":{{"tool_calls":[{{"index":{index},"id":"t1","function":{{"name":"add","arguments":"{{\"text\":{number}}}"}}}}]}}}}]}}"#
        )
    };
    let end = r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#;
    let open_ai = completions(&[&whole(0, "1"), &whole(1, "2"), end]);
    for (kind, response) in [
        (AdapterKind::Anthropic, Response::stream(anthropic)),
        (AdapterKind::OpenAI, open_ai),
    ] {
        let collected = collected_from(kind, response).await;
        let call = |text| (Some("t1"), "add", text);
        let expected = [call(r#"{"text":1}"#), call(r#"{"text":2}"#)];
        assert_eq!(calls(&collected.parts), expected, "{kind}");
        assert_eq!(collected.calls.len(), 2, "{kind}");
    }
}

#[tokio::test]
async fn a_completion_of_ollama_has_whole_calls() {
    let lines = [
        r#"{"message":{"thinking":"Hm."}}"#,
        r#"{"message":{"content":"A","tool_calls":[{"function":{"name":"add","arguments":{"text":"a"}}},{"function":{"name":"add","arguments":{}}}]}}"#,
        r#"{"message":{"content":""},"done":true,"done_reason":"stop","prompt_eval_count":5,"eval_count":2}"#,
    ];
    let response = Response::stream(lines.map(|line| format!("{line}\n")).concat());
    let collected = collected_from(AdapterKind::Ollama, response).await;
    assert_eq!((&*collected.text, &*collected.reasoning), ("A", "Hm."));
    let calls = calls(&collected.parts);
    assert!(matches!(
        &calls[..],
        [(Some(_), "add", r#"{"text":"a"}"#), (Some(_), "add", "{}")]
    ));
    assert_eq!(collected.usage, Some(Usage::new(5, 2)));
    assert_eq!(collected.finish, Some(Finish::Calls));
}

#[tokio::test]
async fn a_call_of_responses_is_the_one_at_the_end() {
    let response = Response::events(&[
        r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","call_id":"c1","name":"add"}}"#,
        r#"{"type":"response.function_call_arguments.delta","output_index":0,"delta":"{\"te"}"#,
        r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"function_call","call_id":"c1","name":"add","arguments":"{\"text\":1}"}}"#,
        r#"{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","call_id":"c2","name":"list","arguments":"{}"}}"#,
        r#"{"type":"response.completed","response":{"id":"r","model":"m","status":"completed","output":[],"usage":{"input_tokens":5,"output_tokens":2,"total_tokens":7}}}"#,
    ]);
    let collected = collected_from(AdapterKind::OpenAIResp, response).await;
    assert_eq!(
        calls(&collected.parts),
        [
            (Some("c1"), "add", r#"{"text":1}"#),
            (Some("c2"), "list", "{}")
        ]
    );
    assert_eq!(collected.finish, Some(Finish::Calls));
}

#[tokio::test]
async fn calls_are_told_apart_also_where_their_numbers_are_wrong() {
    let piece = |piece: &str| format!(r#"{{"choices":[{{"delta":{{"tool_calls":[{piece}]}}}}]}}"#);
    let end = r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    for (pieces, expected) in [
        (
            // the same index for all calls
            [
                r#"{"index":0,"id":"a","function":{"name":"add","arguments":"{\"text\":1}"}}"#,
                r#"{"index":0,"id":"b","function":{"name":"add","arguments":"{\"text\":2}"}}"#,
            ],
            vec![
                (Some("a"), "add", r#"{"text":1}"#),
                (Some("b"), "add", r#"{"text":2}"#),
            ],
        ),
        (
            // no ids
            [
                r#"{"index":0,"function":{"name":"add","arguments":"{\"te"}}"#,
                r#"{"index":0,"function":{"arguments":"xt\":1}"}}"#,
            ],
            vec![(Some("call_0"), "add", r#"{"text":1}"#)],
        ),
        (
            // an index too large to allocate for
            [
                r#"{"index":4000000000,"id":"a","function":{"name":"add","arguments":"{\"te"}}"#,
                r#"{"index":4000000000,"function":{"arguments":"xt\":1}"}}"#,
            ],
            vec![(Some("a"), "add", r#"{"text":1}"#)],
        ),
        (
            // an id in each piece, and malformed arguments
            [
                r#"{"index":0,"id":"a","function":{"name":"add","arguments":"{\"te"}}"#,
                r#"{"index":0,"id":"a","function":{"arguments":"xt"}}"#,
            ],
            vec![(Some("a"), "add", r#"{"text"#)],
        ),
    ] {
        let events = [&*piece(pieces[0]), &*piece(pieces[1]), end];
        let collected = collected_from(AdapterKind::OpenAI, completions(&events)).await;
        assert_eq!(calls(&collected.parts), expected);
        assert_eq!(collected.finish, Some(Finish::Calls));
    }
}

#[tokio::test]
async fn the_reasons_of_the_end_are_those_of_the_other_models() {
    let completion = |reason: &str| {
        let end =
            format!(r#"{{"choices":[{{"delta":{{"content":"a"}},"finish_reason":"{reason}"}}]}}"#);
        completions(&[&end])
    };
    let candidate = |reason: &str| {
        let end = format!(
            r#"{{"candidates":[{{"content":{{"parts":[{{"text":"a"}}]}},"finishReason":"{reason}"}}]}}"#
        );
        Response::events(&[&end])
    };
    let other = |word: &str| Finish::Other(word.to_owned());
    for (kind, response, finish) in [
        (AdapterKind::OpenAI, completion("stop"), Finish::Answered),
        (AdapterKind::OpenAI, completion("length"), Finish::Truncated),
        (
            AdapterKind::OpenAI,
            completion("content_filter"),
            Finish::Refused,
        ),
        (
            AdapterKind::OpenAI,
            completion("tool_calls"),
            other("tool_calls"),
        ),
        (AdapterKind::Gemini, candidate("STOP"), Finish::Answered),
        (
            AdapterKind::Gemini,
            candidate("MAX_TOKENS"),
            Finish::Truncated,
        ),
        (AdapterKind::Gemini, candidate("SAFETY"), Finish::Refused),
        (
            AdapterKind::Gemini,
            candidate("MALFORMED_FUNCTION_CALL"),
            other("MALFORMED_FUNCTION_CALL"),
        ),
    ] {
        let collected = collected_from(kind, response).await;
        assert_eq!((&*collected.text, collected.finish), ("a", Some(finish)));
        assert_eq!(collected.parts.len(), 1);
    }
}

/// The limits listed in the documentation of [`GenAi`].
#[tokio::test]
async fn some_of_a_completion_is_lost_or_in_another_order() {
    // the text of a refusal is lost
    let refusal = completions(&[
        r#"{"choices":[{"delta":{"refusal":"I cannot."}}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
    ]);
    let read = collected_from(AdapterKind::OpenAI, refusal).await;
    assert_eq!((&*read.text, read.finish), ("", Some(Finish::Answered)));
    // the reason of a filter is lost
    let filtered = Response::events(&[
        r#"{"type":"response.output_text.delta","delta":"a"}"#,
        r#"{"type":"response.incomplete","response":{"id":"r","model":"m","status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[]}}"#,
    ]);
    let read = collected_from(AdapterKind::OpenAIResp, filtered).await;
    assert_eq!(read.finish, Some(Finish::Truncated));
    // the order of call and text is lost
    let call_first = completions(&[
        r#"{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"c","function":{"name":"add","arguments":"{}"}}]}}]}"#,
        r#"{"choices":[{"delta":{"content":"So."}}]}"#,
        r#"{"choices":[{"delta":{},"finish_reason":"tool_calls"}]}"#,
    ]);
    let read = collected_from(AdapterKind::OpenAI, call_first).await;
    assert!(matches!(read.parts[0], MessagePart::Text(_)));
    assert!(matches!(read.parts[1], MessagePart::Call(_)));
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_cut_off() {
    let body = r#"{"choices":[{"finish_reason":"stop","message":{"content":"Hello."}}]}"#;
    let server = Server::start([Response::json(body)]).await;
    let error = error(&chat(&server)).await;
    assert_eq!(error, ModelError::CutOff { request_id: None });
}

#[tokio::test]
async fn comments_of_a_server_are_not_events() {
    let end = r#"{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}]}"#;
    let body = format!(": at work\n\n: at work\n\ndata: {end}\n\ndata: [DONE]\n\n");
    let server = Server::start([Response::stream(body)]).await;
    let events: Vec<_> = chat(&server).stream(question()).collect().await;
    assert!(!events.contains(&Ok(ModelEvent::KeepAlive)), "{events:?}");
    assert_eq!(events[0], Ok(ModelEvent::Text("a".to_owned())));
}
