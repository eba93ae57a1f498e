//! The models of `genai`, in the formats of some adapters.

use super::wires::{Wire, deltas, events};
use super::{Format, Row, check, row};
use serde_json::{Value, json};
use skill_agent::chat::genai::adapter::AdapterKind;

fn genai(name: &str, kind: AdapterKind, wire: Wire) -> Row {
    row(&format!("genai, {kind}, {name}"), Format::GenAi(kind), wire)
}

const CALL: &str = r#"call add_note {"text":"a"}"#;

fn call(id: &str, text: &str) -> Value {
    let arguments = json!({ "text": text }).to_string();
    json!({ "id": id, "type": "function", "function": { "name": "add_note", "arguments": arguments } })
}

#[timed_test::test]
async fn parts_are_kept_once_in_their_order() {
    let add = r#"{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"add_note","arguments":"{\"text\":\"a\"}"}}]}"#;
    let chat = AdapterKind::OpenAI;
    let gemini = AdapterKind::Gemini;
    let candidate = |parts: Value, end: &str| {
        json!({ "candidates": [{ "content": { "parts": parts }, "finishReason": end }] })
            .to_string()
    };
    let more =
        |parts: Value| json!({ "candidates": [{ "content": { "parts": parts } }] }).to_string();
    let thought = || json!([{ "text": "Think.", "thought": true }]);
    let function_call = || json!({ "functionCall": { "name": "add_note", "args": { "text": "a" } }, "thoughtSignature": "S" });
    let thinking = || json!({ "type": "thinking", "thinking": "Think.", "signature": "SIG" });
    let tool_use =
        || json!({ "type": "tool_use", "id": "t1", "name": "add_note", "input": { "text": "a" } });
    let message = || json!({ "type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": [{ "type": "output_text", "text": "Noted.", "annotations": [] }] });
    check(vec![
        genai("text", chat, deltas(&[r#"{"content":"Noted."}"#], "stop"))
            .parts(&["text Noted."]).sent(json!({ "role": "assistant", "content": "Noted." })),
        genai("reasoning, then text", chat, deltas(&[r#"{"reasoning_content":"Think."}"#, r#"{"content":"Noted."}"#], "stop"))
            .parts(&["reasoning Think.", "text Noted."])
            .sent(json!({ "role": "assistant", "content": "Noted.", "reasoning_content": "Think." })),
        genai("reasoning, text, a call", chat, deltas(&[r#"{"reasoning_content":"Think."}"#, r#"{"content":"So."}"#, add], "tool_calls"))
            .parts(&["reasoning Think.", "text So.", CALL])
            .sent(json!({ "role": "assistant", "content": "So.", "reasoning_content": "Think.", "tool_calls": [call("c1", "a")] })),
        genai("thoughts, then text", gemini, events(&[&more(thought()), &candidate(json!([{ "text": "Noted." }]), "STOP")]))
            .parts(&["reasoning Think.", "text Noted."]).sent(json!([{ "text": "Noted." }])),
        genai("thoughts, text, a call with a signature", gemini, events(&[
            &more(thought()), &more(json!([{ "text": "So." }])), &candidate(json!([function_call()]), "STOP")]))
            .parts(&["reasoning Think.", "text So.", CALL]).sent(json!([{ "text": "So." }, function_call()])),
        genai("thinking, then text", AdapterKind::Anthropic, Wire::Blocks(json!([thinking(), { "type": "text", "text": "Noted." }]), "end_turn", true))
            .parts(&["reasoning Think.", "text Noted."]).sent(json!([thinking(), { "type": "text", "text": "Noted." }])),
        genai("thinking, text, a call", AdapterKind::Anthropic, Wire::Blocks(json!([thinking(), { "type": "text", "text": "So." }, tool_use()]), "tool_use", true))
            .parts(&["reasoning Think.", "text So.", CALL]).sent(json!([thinking(), { "type": "text", "text": "So." }, tool_use()])),
        genai("text", AdapterKind::OpenAIResp, Wire::Items(json!([message()]), true))
            .parts(&["text Noted."])
            .sent(json!([{ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "Noted." }] }])),
        genai("thinking, text, a call", AdapterKind::Ollama, Wire::Stream([
            r#"{"message":{"thinking":"Think."}}"#,
            r#"{"message":{"content":"So.","tool_calls":[{"function":{"name":"add_note","arguments":{"text":"a"}}}]}}"#,
            r#"{"message":{"content":""},"done":true,"done_reason":"stop"}"#].map(|line| format!("{line}\n")).concat()))
            .parts(&["reasoning Think.", "text So.", CALL])
            .sent(json!({ "role": "assistant", "content": "So.", "tool_calls": [{ "function": { "name": "add_note", "arguments": { "text": "a" } } }] })),
    ])
    .await;
}

#[timed_test::test]
async fn pieces_belong_to_the_call_of_their_id() {
    let calls = |name: &str, text: &str, calls: &[(&str, &str)]| {
        let parts: Vec<String> = calls
            .iter()
            .map(|(_, text)| format!(r#"call add_note {{"text":"{text}"}}"#))
            .collect();
        let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
        let calls: Vec<Value> = calls.iter().map(|(id, text)| call(id, text)).collect();
        genai(name, AdapterKind::OpenAI, Wire::Stream(text.to_owned()))
            .parts(&parts)
            .sent(json!({ "role": "assistant", "content": "", "tool_calls": calls }))
    };
    // `genai` drops pieces without a number
    let lost = [
        include_str!("recorded/no_index_name_later.sse"),
        include_str!("recorded/no_index_id_and_name_in_each.sse"),
        include_str!("recorded/no_index_two_calls_by_id.sse"),
    ];
    let lost = lost.map(|text| {
        let wire = Wire::Stream(text.to_owned());
        genai("no number", AdapterKind::OpenAI, wire).fails("it has neither text nor calls")
    });
    check(lost.into()).await;
    check(vec![
        calls(
            "the head under 0, the rest under 1",
            include_str!("recorded/head_index_0_tail_index_1.sse"),
            &[("c1", "a"), ("c2", "b")],
        ),
        calls(
            "one id under two numbers",
            include_str!("recorded/same_id_two_indexes.sse"),
            &[("c1", "a")],
        ),
        calls(
            "once more in the last piece",
            include_str!("recorded/whole_call_again.sse"),
            &[("c1", "a")],
        ),
    ])
    .await;
}

#[timed_test::test]
async fn the_last_event_ends_an_answer_without_a_reason() {
    let chat = AdapterKind::OpenAI;
    check(vec![
        genai(
            "no reason",
            chat,
            Wire::Stream(include_str!("recorded/done_without_finish_reason.sse").to_owned()),
        )
        .parts(&["text Hi"])
        .sent(json!({ "role": "assistant", "content": "Hi" })),
        genai(
            "an empty reason, then a cut",
            chat,
            Wire::Stream(include_str!("recorded/empty_finish_reason_then_cut.sse").to_owned()),
        )
        .fails("was cut off"),
        genai(
            "keep-alive as data",
            chat,
            Wire::Stream(include_str!("recorded/keep_alive_as_data.sse").to_owned()),
        )
        .parts(&["text Hi"])
        .sent(json!({ "role": "assistant", "content": "Hi" })),
    ])
    .await;
}
