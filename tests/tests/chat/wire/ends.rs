//! The ends of completions, and what servers write to keep a connection open.

use super::wires::{Wire, deltas, events, message};
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
        chat("no reason after a call without arguments", events(&[&call("").replace("add_note", "list_notes"), "[DONE]"]))
            .parts(&["call list_notes {}"])
            .sent(json!({ "role": "assistant", "content": null, "tool_calls": [
                { "id": "c1", "type": "function", "function": { "name": "list_notes", "arguments": "{}" } }] })),
        chat("no reason after the head of a call, and no end", events(&[&call("")])).fails(CUT_OFF),
        row("ends, Anthropic without a reason", Format::Anthropic, events(&[
            r#"{"type":"message_start","message":{"content":[]}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Noted."}}"#,
            r#"{"type":"message_stop"}"#]))
            .parts(&["text Noted."]).sent(json!([{ "type": "text", "text": "Noted." }])),
        row("ends, Anthropic without a reason, a call without input", Format::Anthropic, events(&[
            r#"{"type":"message_start","message":{"content":[]}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"t1","name":"list_notes","input":{}}}"#,
            r#"{"type":"message_stop"}"#]))
            .parts(&["call list_notes {}"]).sent(json!([{ "type": "tool_use", "id": "t1", "name": "list_notes", "input": {} }])),
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
async fn plain_text_before_the_end_of_a_stream_is_its_error() {
    let lines = |text: &str| recorded(&format!("data: {NOTED}\n\n{text}"));
    let page = "<html>\n<head><title>502 Bad Gateway</title></head>\n</html>\n";
    check(vec![
        chat("a text alone", events(&["upstream failed"])).fails("upstream failed"),
        chat("a text after another", events(&["processing", "null", "upstream failed"])).fails("upstream failed"),
        chat("a text, then the last event", events(&["upstream failed", "[DONE]"])).fails("upstream failed"),
        chat("a text after pieces", events(&[NOTED, "upstream failed"])).fails("upstream failed"),
        chat("a text after pieces, then the last event", events(&[NOTED, "upstream failed", "[DONE]"])).fails("upstream failed"),
        chat("a text about credit", events(&["Insufficient credits, please add more."])).fails("the account at the provider is exhausted: Insufficient credits"),
        chat("a line that is no event", lines("Internal Server Error\n")).fails("Internal Server Error"),
        chat("a line with a colon", lines("upstream connect error or disconnect/reset before headers. reset reason: overflow\n")).fails("reset reason: overflow"),
        chat("a line without its end", lines("Internal Server Error")).fails("Internal Server Error"),
        chat("a page", recorded(page)).fails("status 500: 502 Bad Gateway"),
        chat("JSON that is no event", recorded(r#"{"error":{"message":"no capacity","code":503}}"#)).fails("status 503: no capacity"),
        chat("a field that is cut in its name", lines("dat")).fails(CUT_OFF),
        chat("a comment that is cut", lines(": OPENROUTER PROC")).fails(CUT_OFF),
        row("ends, a text alone at Anthropic", Format::Anthropic, events(&["upstream failed"])).fails("upstream failed"),
        row("ends, a text alone at Responses", Format::Responses, events(&["upstream failed"])).fails("upstream failed"),
        says("a line that is no field, and then the end", recorded(&format!("warning: slow\ndata: {NOTED}\n\ndata: {STOP}\n\n")), "Noted."),
    ])
    .await;
}

#[timed_test::test]
async fn reasoning_whose_tag_is_not_closed_is_no_answer() {
    let said = |text: &str| vec![json!({ "content": text }).to_string()];
    let wire = |text: &str, reason| {
        deltas(
            &said(text).iter().map(String::as_str).collect::<Vec<_>>(),
            reason,
        )
    };
    check(vec![
        chat("an open tag", wire("<think>Think.", "stop")).parts(&["reasoning Think."]),
        chat("an open tag, whole", message(r#"{"content":"<think>\nThink."}"#, "stop")).parts(&["reasoning Think."]),
        chat("an open tag at a limit", wire("<think>Think.", "length")).parts(&["reasoning Think."]).stop(Stop::Truncated),
        chat("an open tag before a call", deltas(&[r#"{"content":"<think>Think."}"#,
            r#"{"tool_calls":[{"index":0,"id":"c1","function":{"name":"list_notes","arguments":"{}"}}]}"#], "stop"))
            .parts(&["reasoning Think.", "call list_notes {}"])
            .sent(json!({ "role": "assistant", "content": null, "tool_calls": [
                { "id": "c1", "type": "function", "function": { "name": "list_notes", "arguments": "{}" } }] })),
    ])
    .await;
}

#[timed_test::test]
async fn what_keeps_a_connection_open_is_skipped() {
    let middle = ": OPENROUTER PROCESSING\n\n";
    check(vec![
        says("keep-alive as data", recorded(include_str!("recorded/keep_alive_as_data.sse")), "Hi"),
        says("null as data", events(&["null", "null", NOTED, STOP, "[DONE]"]), "Noted."),
        says("a number as data", events(&["1", "true", NOTED, STOP, "[DONE]"]), "Noted."),
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

#[timed_test::test]
async fn reasoning_that_a_server_leaves_in_the_text_too_is_there_once() {
    let thought =
        || json!({ "role": "assistant", "content": "Noted.", "reasoning_content": "Think." });
    let both = ["reasoning Think.", "text Noted."];
    check(vec![
        chat(
            "reasoning both ways",
            deltas(
                &[
                    r#"{"reasoning_content":"Thi","content":"<think>Thi"}"#,
                    r#"{"reasoning_content":"nk.","content":"nk."}"#,
                    r#"{"content":"</think>\n\nNoted."}"#,
                ],
                "stop",
            ),
        )
        .parts(&both)
        .sent(thought()),
        chat(
            "reasoning both ways, whole",
            message(
                r#"{"content":"<think>\nThink.\n</think>\n\nNoted.","reasoning_content":"Think."}"#,
                "stop",
            ),
        )
        .parts(&both)
        .sent(thought()),
        chat(
            "reasoning both ways, of which the text is behind",
            deltas(
                &[
                    r#"{"reasoning_content":"Think."}"#,
                    r#"{"content":"<think>\nTh"}"#,
                    r#"{"content":"ink.\n</think>"}"#,
                    r#"{"content":"Noted."}"#,
                ],
                "stop",
            ),
        )
        .parts(&both)
        .sent(thought()),
    ])
    .await;
}

#[timed_test::test]
async fn streams_that_users_of_other_clients_met() {
    let whole = r#"{"id":"x","choices":[{"index":0,"message":{"role":"assistant","content":"Noted."},"finish_reason":"stop"}]}"#;
    check(vec![
        says("a whole completion under the type of a stream", recorded(&format!("{whole}\n\ndata: [DONE]\n\n")), "Noted."),
        says("a whole completion in lines, without an end", recorded(&whole.replace(',', ",\n  ")), "Noted."),
        says("a reason with the last piece, and once more", events(&[
            r#"{"choices":[{"index":0,"delta":{"content":"Noted."},"finish_reason":"stop"}]}"#, STOP, "[DONE]"]), "Noted."),
        chat("an error as a text, with its status", events(&[r#"{"error":"Insufficient balance","requiredBalance":0.0035,"status":402}"#]))
            .fails("the account at the provider is exhausted: Insufficient balance"),
        chat("an error beside `success`", events(&[NOTED,
            r#"{"success":false,"error":{"code":"INTERNAL_SERVER_ERROR","status":500,"message":"An unexpected error occurred."}}"#]))
            .fails("status 500: An unexpected error occurred."),
        chat("JSON without `error` that is no event", recorded("{\"detail\":\"Not Found\"}\n")).fails("Not Found"),
        chat("details of reasoning alone", deltas(&[
            r#"{"reasoning_details":[{"type":"reasoning.text","id":"r1","index":0,"text":"Thi"}]}"#,
            r#"{"reasoning_details":[{"type":"reasoning.text","id":"r1","index":0,"text":"nk."}]}"#, r#"{"content":"Noted."}"#], "stop"))
            .parts(&["opaque", "text Noted."])
            .sent(json!({ "role": "assistant", "content": "Noted.",
                "reasoning_details": [{ "type": "reasoning.text", "id": "r1", "index": 0, "text": "Think." }] })),
    ])
    .await;
}
