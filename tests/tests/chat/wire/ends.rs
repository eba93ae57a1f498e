//! The ends of completions, and what servers write to keep a connection open.

use super::wires::{Wire, events, message};
use super::{Format, Row, check, row};
use serde_json::json;
use skill_agent::chat::Stop;

fn chat(name: &str, wire: Wire) -> Row {
    row(&format!("ends, {name}"), Format::ChatCompletions, wire)
}

/// A row that expects a text.
fn says(name: &str, wire: Wire, text: &str) -> Row {
    let sent = json!({ "role": "assistant", "content": text });
    chat(name, wire)
        .parts(&[&format!("text {text}")])
        .sent(sent)
}

fn recorded(text: &str) -> Wire {
    Wire::Stream(text.to_owned())
}

const NOTED: &str = r#"{"choices":[{"index":0,"delta":{"content":"Noted."}}]}"#;
const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;
const CUT_OFF: &str = "was cut off";

fn call(arguments: &str) -> String {
    let arguments = json!(arguments);
    format!(
        r#"{{"choices":[{{"delta":{{"tool_calls":[{{"index":0,"id":"c1","function":{{"name":"add_note","arguments":{arguments}}}}}]}}}}]}}"#
    )
}

#[timed_test::test]
async fn the_last_event_ends_an_answer_without_a_reason() {
    let whole_call = json!([{ "id": "c1", "type": "function", "function": { "name": "add_note", "arguments": "{\"text\":\"a\"}" } }]);
    check(vec![
        says("no reason", recorded(include_str!("recorded/done_without_finish_reason.sse")), "Hi"),
        says("a reason of null", events(&[r#"{"choices":[{"index":0,"delta":{"content":"Noted."},"finish_reason":null}]}"#, "[DONE]"]), "Noted."),
        says("an empty reason", events(&[r#"{"choices":[{"index":0,"delta":{"content":"Noted."},"finish_reason":""}]}"#, "[DONE]"]), "Noted."),
        says("a reason in each event", events(&[
            r#"{"choices":[{"index":0,"delta":{"content":"No"},"finish_reason":"stop"}]}"#,
            r#"{"choices":[{"index":0,"delta":{"content":"ted."},"finish_reason":"stop"}]}"#, "[DONE]"]), "Noted."),
        says("the whole message at the end", events(&[NOTED,
            r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"Noted."},"finish_reason":"stop"}]}"#, "[DONE]"]), "Noted."),
        says("the whole message as the only event", events(&[
            r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"Noted."},"finish_reason":"stop"}]}"#, "[DONE]"]), "Noted."),
        says("an empty reason after `stop`", events(&[NOTED, STOP, r#"{"choices":[{"index":0,"delta":{},"finish_reason":""}]}"#]), "Noted."),
        chat("an empty reason, then a cut", recorded(include_str!("recorded/empty_finish_reason_then_cut.sse"))).fails(CUT_OFF),
        chat("a reason in words, `null`, then a cut", events(&[r#"{"choices":[{"index":0,"delta":{"content":"Hi"},"finish_reason":"null"}]}"#])).fails(CUT_OFF),
        chat("no reason and no end", events(&[NOTED])).fails(CUT_OFF),
        chat("nothing but the last event", events(&["[DONE]"])).fails(CUT_OFF),
        chat("no reason after a whole call", events(&[&call("{\"text\":\"a\"}"), "[DONE]"]))
            .parts(&[r#"call add_note {"text":"a"}"#])
            .sent(json!({ "role": "assistant", "content": null, "tool_calls": whole_call })),
        chat("no reason after a cut call", events(&[&call("{\"text\":"), "[DONE]"])).fails(CUT_OFF),
        chat("no reason after the head of a call", events(&[&call(""), "[DONE]"])).fails(CUT_OFF),
        row("ends, Anthropic without a reason", Format::Anthropic, events(&[
            r#"{"type":"message_start","message":{"content":[]}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Noted."}}"#,
            r#"{"type":"message_stop"}"#]))
            .parts(&["text Noted."]).sent(json!([{ "type": "text", "text": "Noted." }])),
        row("ends, Anthropic without an end", Format::Anthropic, events(&[
            r#"{"type":"message_start","message":{"content":[]}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Noted."}}"#])).fails(CUT_OFF),
        row("ends, Responses without an end", Format::Responses, events(&[
            r#"{"type":"response.output_text.delta","output_index":0,"delta":"Noted."}"#])).fails(CUT_OFF),
    ])
    .await;
}

#[timed_test::test]
async fn a_whole_response_without_a_message_ends_by_its_reason() {
    let whole = |choice: &str| {
        Wire::Whole(format!(
            r#"{{"choices":[{choice}],"usage":{{"prompt_tokens":5,"total_tokens":9}}}}"#
        ))
    };
    check(vec![
        chat("no message at a limit", Wire::Whole(include_str!("recorded/no_message.json").to_owned())).stop(Stop::Truncated),
        chat("no message at a filter", whole(r#"{"finish_reason":"content_filter","index":0}"#)).stop(Stop::Refused),
        chat("no message at a filter, with its name", whole(r#"{"finish_reason":"content_filter: SAFETY","index":0}"#)).stop(Stop::Refused),
        chat("a message of null", whole(r#"{"finish_reason":"length","index":0,"message":null}"#)).stop(Stop::Truncated),
        chat("no message after `stop`", whole(r#"{"finish_reason":"stop","index":0}"#)),
        chat("an empty message", message("{}", "length")).stop(Stop::Truncated),
        chat("a malformed call", whole(r#"{"finish_reason":"function_call_filter: MALFORMED_FUNCTION_CALL","index":0}"#))
            .fails("it has neither text nor calls"),
        chat("a malformed call, streamed", events(&[
            r#"{"choices":[{"delta":{"role":"assistant"},"finish_reason":"function_call_filter: MALFORMED_FUNCTION_CALL","index":0}]}"#, "[DONE]"]))
            .fails("it has neither text nor calls"),
        chat("a filter with its name, streamed", events(&[
            r#"{"choices":[{"delta":{"role":"assistant"},"finish_reason":"content_filter: SAFETY","index":0}]}"#, "[DONE]"])).stop(Stop::Refused),
        row("ends, Responses without output at a limit", Format::Responses, Wire::Whole(
            r#"{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":null}"#.to_owned())).stop(Stop::Truncated),
        row("ends, Responses without output at a filter", Format::Responses, Wire::Whole(
            r#"{"status":"incomplete","incomplete_details":{"reason":"content_filter"}}"#.to_owned())).stop(Stop::Refused),
        row("ends, Anthropic without content at a limit", Format::Anthropic, Wire::Whole(
            r#"{"type":"message","stop_reason":"max_tokens"}"#.to_owned())).stop(Stop::Truncated),
        row("ends, Anthropic without content at a refusal", Format::Anthropic, Wire::Whole(
            r#"{"type":"message","content":null,"stop_reason":"refusal"}"#.to_owned())).stop(Stop::Refused),
        chat("choices of null", Wire::Whole(r#"{"choices":null,"usage":{"prompt_tokens":5}}"#.to_owned())).fails(CUT_OFF),
        chat("no choice", Wire::Whole(r#"{"choices":[],"usage":{"prompt_tokens":5}}"#.to_owned())).fails(CUT_OFF),
        chat("neither a message nor a reason", whole(r#"{"index":0}"#)).fails("`choices[0].message`: expected a message, found nothing"),
    ])
    .await;
}

#[timed_test::test]
async fn what_keeps_a_connection_open_is_skipped() {
    let middle = ": OPENROUTER PROCESSING\n\n";
    check(vec![
        says("keep-alive as data", recorded(include_str!("recorded/keep_alive_as_data.sse")), "Hi"),
        says("null as data", events(&["null", "null", NOTED, STOP, "[DONE]"]), "Noted."),
        says("a word as data", events(&["keep-alive", "processing", NOTED, STOP, "[DONE]"]), "Noted."),
        says("a keep-alive after an event without a choice", events(&[
            r#"{"choices":[],"prompt_filter_results":[]}"#, ": OPENROUTER PROCESSING", "null", NOTED, STOP, "[DONE]"]), "Noted."),
        says("comments", recorded(&format!("{middle}data: {NOTED}\n\n{middle}data: {STOP}\n\ndata: [DONE]\n\n")), "Noted."),
        says("keep-alive as data later", events(&[NOTED, ": OPENROUTER PROCESSING", "null", STOP, "[DONE]"]), "Noted."),
        chat("a word as data later", events(&[NOTED, "upstream failed", STOP, "[DONE]"])).fails("event 2: not JSON"),
        chat("JSON that is cut", events(&[r#"{"choices":"#, NOTED, STOP, "[DONE]"])).fails("event 1: not JSON"),
        chat("a list", events(&["[]", NOTED, STOP, "[DONE]"])).fails("event 1: not an object"),
        row("ends, null as data of Anthropic", Format::Anthropic, events(&[
            "null", r#"{"type":"message_start","message":{"content":[]}}"#, ": PROCESSING",
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Noted."}}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"end_turn"}}"#, r#"{"type":"message_stop"}"#]))
            .parts(&["text Noted."]).sent(json!([{ "type": "text", "text": "Noted." }])),
    ])
    .await;
}
