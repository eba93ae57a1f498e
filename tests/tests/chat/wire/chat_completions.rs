//! Chat Completions: texts, reasoning and the fields of each server, streamed and whole.

use super::wires::{Wire, deltas, events, message};
use super::{Format, Row, check, row};
use serde_json::json;
use skill_agent::chat::Stop;

fn chat(name: &str, wire: Wire) -> Row {
    row(
        &format!("chat completions, {name}"),
        Format::ChatCompletions,
        wire,
    )
}

const CALL: &str = r#"call add_note {"text":"a"}"#;

#[timed_test::test]
async fn texts_and_reasoning_are_kept_once_in_their_order() {
    let said = || json!({ "role": "assistant", "content": "Noted." });
    let thought =
        || json!({ "role": "assistant", "content": "Noted.", "reasoning_content": "Think." });
    let only_text = ["text Noted."];
    let both = ["reasoning Think.", "text Noted."];
    check(vec![
        chat("text", deltas(&[r#"{"role":"assistant","content":""}"#, r#"{"content":"No"}"#, r#"{"content":"ted."}"#], "stop"))
            .parts(&only_text).sent(said()),
        chat("text, whole", message(r#"{"role":"assistant","content":"Noted.","refusal":null}"#, "stop"))
            .parts(&only_text).sent(said()),
        chat("usage in each event", events(&[
            r#"{"choices":[{"index":0,"delta":{"content":"Noted."}}],"usage":{"prompt_tokens":5,"completion_tokens":1}}"#,
            r#"{"choices":[{"index":0,"delta":{"content":""},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":2}}"#,
            "[DONE]"])).parts(&only_text).sent(said()),
        chat("usage last", deltas(&[r#"{"content":"Noted."}"#], "stop")).parts(&only_text).sent(said()),
        chat("two choices", events(&[
            r#"{"choices":[{"index":1,"delta":{"content":"Other."}},{"index":0,"delta":{"content":"Noted."}}]}"#,
            r#"{"choices":[{"index":1,"delta":{},"finish_reason":"stop"},{"index":0,"delta":{},"finish_reason":"stop"}]}"#,
            "[DONE]"])).parts(&only_text).sent(said()),
        chat("DeepSeek's reasoning, then text", deltas(&[
            r#"{"role":"assistant","content":null,"reasoning_content":"Thi"}"#, r#"{"content":null,"reasoning_content":"nk."}"#,
            r#"{"content":"Noted.","reasoning_content":null}"#], "stop")).parts(&both).sent(thought()),
        chat("DeepSeek's reasoning, then text, whole", message(r#"{"role":"assistant","content":"Noted.","reasoning_content":"Think."}"#, "stop"))
            .parts(&both).sent(thought()),
        chat("text, then reasoning", deltas(&[r#"{"content":"Noted."}"#, r#"{"reasoning_content":"Think."}"#], "stop"))
            .parts(&both).sent(thought()),
        chat("reasoning and text in turn", deltas(&[r#"{"reasoning_content":"Thi"}"#, r#"{"content":"No"}"#,
            r#"{"reasoning_content":"nk."}"#, r#"{"content":"ted."}"#], "stop")).parts(&both).sent(thought()),
        chat("reasoning and text in one event", deltas(&[r#"{"reasoning_content":"Think.","content":"Noted."}"#], "stop"))
            .parts(&both).sent(thought()),
        chat("reasoning under two names", deltas(&[r#"{"reasoning_content":"Think.","reasoning":"Think."}"#, r#"{"content":"Noted."}"#], "stop"))
            .parts(&both)
            .sent(json!({ "role": "assistant", "content": "Noted.", "reasoning_content": "Think.", "reasoning": "Think." })),
        chat("reasoning alone", deltas(&[r#"{"reasoning_content":"Think."}"#], "stop")).parts(&["reasoning Think."]),
        chat("refusal", deltas(&[r#"{"content":null,"refusal":"I "}"#, r#"{"refusal":"cannot."}"#], "stop"))
            .parts(&["text I cannot."]).stop(Stop::Refused)
            .sent(json!({ "role": "assistant", "content": null, "refusal": "I cannot." })),
        chat("reasoning, then refusal", deltas(&[r#"{"reasoning":"Think."}"#, r#"{"refusal":"I cannot."}"#], "stop"))
            .parts(&["reasoning Think.", "text I cannot."]).stop(Stop::Refused)
            .sent(json!({ "role": "assistant", "content": null, "reasoning": "Think.", "refusal": "I cannot." })),
        chat("refusal, whole", message(r#"{"role":"assistant","content":null,"refusal":"I cannot."}"#, "stop"))
            .parts(&["text I cannot."]).stop(Stop::Refused)
            .sent(json!({ "role": "assistant", "content": null, "refusal": "I cannot." })),
        chat("empty", deltas(&[r#"{"role":"assistant","content":""}"#], "stop")),
        chat("empty, whole", message(r#"{"role":"assistant","content":""}"#, "stop")),
        chat("reasoning, then a text that is cut", deltas(&[r#"{"reasoning":"Think."}"#, r#"{"content":"Not"}"#], "length"))
            .parts(&["reasoning Think.", "text Not"]).stop(Stop::Truncated)
            .sent(json!({ "role": "assistant", "content": "Not", "reasoning": "Think." })),
    ])
    .await;
}

#[timed_test::test]
async fn further_fields_of_servers_stay_beside_the_text() {
    let text = ["opaque", "text Noted."];
    let both = ["reasoning Think.", "text Noted."];
    let signed = || json!({ "google": { "thought_signature": "S" } });
    let details = || json!([{ "type": "reasoning.text", "text": "Think.", "format": "anthropic-claude-v1", "index": 0, "signature": "SIG" }]);
    let list = || {
        json!([
            { "type": "thinking", "thinking": [{ "type": "text", "text": "Think." }] },
            { "type": "text", "text": "Noted." },
        ])
    };
    let open_router = || json!({ "role": "assistant", "content": "Noted.", "reasoning": "Think.", "reasoning_details": details() });
    check(vec![
        chat("OpenRouter's reasoning and details", deltas(&[
            r#"{"role":"assistant","content":"","reasoning":"Thi","reasoning_details":[{"type":"reasoning.text","text":"Thi","format":"anthropic-claude-v1","index":0}]}"#,
            r#"{"content":"","reasoning":"nk.","reasoning_details":[{"type":"reasoning.text","text":"nk.","format":"anthropic-claude-v1","index":0}]}"#,
            r#"{"content":"","reasoning":null,"reasoning_details":[{"type":"reasoning.text","signature":"SIG","format":"anthropic-claude-v1","index":0}]}"#,
            r#"{"content":"Noted.","reasoning":null}"#], "stop")).parts(&both).sent(open_router()),
        chat("OpenRouter's reasoning and details, whole", message(&open_router().to_string(), "stop")).parts(&both).sent(open_router()),
        chat("OpenRouter's encrypted details", deltas(&[
            r#"{"content":"Noted."}"#, r#"{"content":"","reasoning_details":[{"type":"reasoning.encrypted","data":"ENC","id":"rs_1","index":0}]}"#], "stop"))
            .parts(&text)
            .sent(json!({ "role": "assistant", "content": "Noted.", "reasoning_details": [{ "type": "reasoning.encrypted", "data": "ENC", "id": "rs_1", "index": 0 }] })),
        chat("blocks of LiteLLM in pieces", deltas(&[
            r#"{"reasoning_content":"Thi","thinking_blocks":[{"type":"thinking","thinking":"Thi"}]}"#,
            r#"{"reasoning_content":"nk.","thinking_blocks":[{"type":"thinking","thinking":"nk."}]}"#,
            r#"{"reasoning_content":"","thinking_blocks":[{"type":"thinking","thinking":"","signature":"SIG"}]}"#,
            r#"{"content":"Noted."}"#], "stop"))
            .parts(&both)
            .sent(json!({ "role": "assistant", "content": "Noted.", "reasoning_content": "Think.",
                "thinking_blocks": [{ "type": "thinking", "thinking": "Think.", "signature": "SIG" }] })),
        chat("blocks of LiteLLM, two of them signed", deltas(&[
            r#"{"reasoning_content":"Think.","thinking_blocks":[{"type":"thinking","thinking":"Think."}]}"#,
            r#"{"thinking_blocks":[{"type":"thinking","thinking":"","signature":"SIG1"}]}"#,
            r#"{"thinking_blocks":[{"type":"thinking","thinking":"More."}]}"#,
            r#"{"thinking_blocks":[{"type":"thinking","thinking":"","signature":"SIG2"}]}"#,
            r#"{"thinking_blocks":[{"type":"redacted_thinking","data":"EmwK"}]}"#,
            r#"{"content":"Noted."}"#], "stop"))
            .parts(&both)
            .sent(json!({ "role": "assistant", "content": "Noted.", "reasoning_content": "Think.", "thinking_blocks": [
                { "type": "thinking", "thinking": "Think.", "signature": "SIG1" },
                { "type": "thinking", "thinking": "More.", "signature": "SIG2" },
                { "type": "redacted_thinking", "data": "EmwK" }] })),
        chat("a list that is the same in each event", deltas(&[
            r#"{"content":"No","sources":[{"url":"u"}]}"#, r#"{"content":"ted.","sources":[{"url":"u"}]}"#], "stop"))
            .parts(&text).sent(json!({ "role": "assistant", "content": "Noted.", "sources": [{ "url": "u" }] })),
        chat("a signature of Gemini after the text", deltas(&[
            r#"{"content":"Noted."}"#, r#"{"content":"","extra_content":{"google":{"thought_signature":"S"}}}"#], "stop"))
            .parts(&text).sent(json!({ "role": "assistant", "content": "Noted.", "extra_content": signed() })),
        chat("a signature of Gemini, whole", message(r#"{"role":"assistant","content":"Noted.","extra_content":{"google":{"thought_signature":"S"}}}"#, "stop"))
            .parts(&text).sent(json!({ "role": "assistant", "content": "Noted.", "extra_content": signed() })),
        chat("a field that no one knows", deltas(&[r#"{"content":"Noted."}"#, r#"{"provider_specific":{"x":1}}"#], "stop"))
            .parts(&text).sent(json!({ "role": "assistant", "content": "Noted.", "provider_specific": { "x": 1 } })),
        chat("a field that no one knows, first", deltas(&[r#"{"provider_specific":{"x":1}}"#, r#"{"content":"Noted."}"#], "stop"))
            .parts(&text).sent(json!({ "role": "assistant", "content": "Noted.", "provider_specific": { "x": 1 } })),
        chat("reasoning and a field that no one knows", deltas(&[r#"{"reasoning":"Think."}"#, r#"{"content":"Noted."}"#, r#"{"encrypted_content":"ENC"}"#], "stop"))
            .parts(&both).sent(json!({ "role": "assistant", "content": "Noted.", "reasoning": "Think.", "encrypted_content": "ENC" })),
        chat("fields that servers refuse", deltas(&[r#"{"content":"Noted.","annotations":[{"type":"url_citation"}],"audio":null,"function_call":null}"#], "stop"))
            .parts(&["text Noted."]).sent(json!({ "role": "assistant", "content": "Noted." })),
        chat("Mistral's list, then a text", deltas(&[
            r#"{"role":"assistant","content":[{"type":"thinking","thinking":[{"type":"text","text":"Thi"}]}]}"#,
            r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"nk."}]}]}"#,
            r#"{"content":"Noted."}"#], "stop")).parts(&both).sent(json!({ "role": "assistant", "content": list() })),
        chat("Mistral's list of both", deltas(&[
            r#"{"content":[{"type":"thinking","thinking":[{"type":"text","text":"Think."}]}]}"#,
            r#"{"content":[{"type":"text","text":"Noted."}]}"#, r#"{"content":""}"#], "stop"))
            .parts(&both).sent(json!({ "role": "assistant", "content": list() })),
        chat("Mistral's list, whole", message(&json!({ "role": "assistant", "content": list() }).to_string(), "stop"))
            .parts(&both).sent(json!({ "role": "assistant", "content": list() })),
        chat("Mistral's list in turn", message(&json!({ "content": [list()[1], list()[0], { "type": "text", "text": " So." }] }).to_string(), "stop"))
            .parts(&["text Noted.", "reasoning Think.", "text  So."])
            .sent(json!({ "role": "assistant", "content": [list()[1], list()[0], { "type": "text", "text": " So." }] })),
        chat("Mistral's list in turn, streamed", deltas(&[
            r#"{"content":"Noted."}"#, &json!({ "content": [list()[0]] }).to_string(), r#"{"content":" So."}"#], "stop"))
            .parts(&["text Noted.", "reasoning Think.", "text  So."])
            .sent(json!({ "role": "assistant", "content": [list()[1], list()[0], { "type": "text", "text": " So." }] })),
        chat("Mistral's references", deltas(&[
            r#"{"content":"Noted."}"#, r#"{"content":[{"type":"reference","reference_ids":[1]}]}"#], "stop"))
            .parts(&["text Noted.", "opaque"])
            .sent(json!({ "role": "assistant", "content": [list()[1], { "type": "reference", "reference_ids": [1] }] })),
    ])
    .await;
}

#[timed_test::test]
async fn calls_follow_the_reasoning_and_the_text() {
    let call = || json!({ "id": "c1", "type": "function", "function": { "name": "add_note", "arguments": "{\"text\":\"a\"}" } });
    let begin = r#"{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"add_note","arguments":""}}]}"#;
    let more = r#"{"tool_calls":[{"index":0,"function":{"arguments":"{\"text\":"}}]}"#;
    let rest = r#"{"tool_calls":[{"index":0,"function":{"arguments":"\"a\"}"}}]}"#;
    let second = || json!({ "id": "c2", "type": "function", "function": { "name": "list_notes", "arguments": "{}" } });
    let begin_second = r#"{"tool_calls":[{"index":1,"id":"c2","type":"function","function":{"name":"list_notes","arguments":"{}"}}]}"#;
    let signed = || {
        let mut call = call();
        call["extra_content"] = json!({ "google": { "thought_signature": "S" } });
        call
    };
    let begin_signed = r#"{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"add_note","arguments":"{\"text\":\"a\"}"},"extra_content":{"google":{"thought_signature":"S"}}}]}"#;
    let said = |content: &str, calls: serde_json::Value| json!({ "role": "assistant", "content": content, "tool_calls": calls });
    let thought = |content, calls| {
        let mut message = said(content, calls);
        message["reasoning_content"] = "Think.".into();
        message
    };
    let none = |mut message: serde_json::Value| {
        message["content"] = serde_json::Value::Null;
        message
    };
    check(vec![
        chat("a call", deltas(&[begin, more, rest], "tool_calls"))
            .parts(&[CALL])
            .sent(none(said("", json!([call()])))),
        chat(
            "a call, whole",
            message(&none(said("", json!([call()]))).to_string(), "tool_calls"),
        )
        .parts(&[CALL])
        .sent(none(said("", json!([call()])))),
        chat(
            "a call that ends with `stop`",
            deltas(&[begin, more, rest], "stop"),
        )
        .parts(&[CALL])
        .sent(none(said("", json!([call()])))),
        chat(
            "text, then a call",
            deltas(&[r#"{"content":"So."}"#, begin, more, rest], "tool_calls"),
        )
        .parts(&["text So.", CALL])
        .sent(said("So.", json!([call()]))),
        chat(
            "text, then a call, whole",
            message(&said("So.", json!([call()])).to_string(), "tool_calls"),
        )
        .parts(&["text So.", CALL])
        .sent(said("So.", json!([call()]))),
        chat(
            "a call, then text",
            deltas(&[begin, more, rest, r#"{"content":"So."}"#], "tool_calls"),
        )
        .parts(&["text So.", CALL])
        .sent(said("So.", json!([call()]))),
        chat(
            "reasoning, text, a call",
            deltas(
                &[
                    r#"{"reasoning_content":"Think."}"#,
                    r#"{"content":"So."}"#,
                    begin,
                    more,
                    rest,
                ],
                "tool_calls",
            ),
        )
        .parts(&["reasoning Think.", "text So.", CALL])
        .sent(thought("So.", json!([call()]))),
        chat(
            "reasoning, text, a call, whole",
            message(&thought("So.", json!([call()])).to_string(), "tool_calls"),
        )
        .parts(&["reasoning Think.", "text So.", CALL])
        .sent(thought("So.", json!([call()]))),
        chat(
            "reasoning, a call",
            deltas(
                &[
                    r#"{"reasoning_content":"Think.","content":null}"#,
                    begin,
                    more,
                    rest,
                ],
                "tool_calls",
            ),
        )
        .parts(&["reasoning Think.", CALL])
        .sent(none(thought("", json!([call()])))),
        chat(
            "a call, then reasoning",
            deltas(
                &[begin, more, rest, r#"{"reasoning_content":"Think."}"#],
                "tool_calls",
            ),
        )
        .parts(&["reasoning Think.", CALL])
        .sent(none(thought("", json!([call()])))),
        chat(
            "line ends, then a call",
            deltas(&[r#"{"content":"\n\n"}"#, begin, more, rest], "tool_calls"),
        )
        .parts(&["text \n\n", CALL])
        .sent(said("\n\n", json!([call()]))),
        chat(
            "two calls",
            deltas(&[begin, more, rest, begin_second], "tool_calls"),
        )
        .parts(&[CALL, "call list_notes {}"])
        .sent(none(said("", json!([call(), second()])))),
        chat(
            "two calls in turn",
            deltas(&[begin, more, begin_second, rest], "tool_calls"),
        )
        .parts(&[CALL, "call list_notes {}"])
        .sent(none(said("", json!([call(), second()])))),
        chat(
            "two calls, whole",
            message(
                &none(said("", json!([call(), second()]))).to_string(),
                "tool_calls",
            ),
        )
        .parts(&[CALL, "call list_notes {}"])
        .sent(none(said("", json!([call(), second()])))),
        chat(
            "a call with a signature of Gemini",
            deltas(&[begin_signed], "tool_calls"),
        )
        .parts(&[CALL])
        .sent(none(said("", json!([signed()])))),
        chat(
            "text, then a call with a signature of Gemini",
            deltas(&[r#"{"content":"So."}"#, begin_signed], "tool_calls"),
        )
        .parts(&["text So.", CALL])
        .sent(said("So.", json!([signed()]))),
        chat(
            "two calls, of which the first has a signature",
            deltas(&[begin_signed, begin_second], "tool_calls"),
        )
        .parts(&[CALL, "call list_notes {}"])
        .sent(none(said("", json!([signed(), second()])))),
    ])
    .await;
}
