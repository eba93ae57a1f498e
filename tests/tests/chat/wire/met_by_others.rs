//! Responses that users of other libraries met and reported. The values are our own.

use super::wires::{Wire, deltas, events, message};
use super::{Format, Row, check, row};
use serde_json::{Value, json};
use skill_agent::chat::Stop;
use skill_agent::chat::genai::adapter::AdapterKind;

const BOTH: [&str; 2] = ["reasoning Think.", "text Noted."];
const CALL: &str = r#"call add_note {"text":"a"}"#;
const STOP: &str = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}"#;

fn chat(name: &str, wire: Wire) -> Row {
    row(
        &format!("met by others, {name}"),
        Format::ChatCompletions,
        wire,
    )
}

fn of(format: Format, name: &str, wire: Wire) -> Row {
    row(&format!("met by others, {name}"), format, wire)
}

fn text(text: &str) -> Value {
    json!({ "type": "message", "id": "msg_1", "status": "completed", "role": "assistant",
        "content": [{ "type": "output_text", "text": text, "annotations": [] }] })
}

fn call(id: &str, name: &str, arguments: &str) -> Value {
    json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
}

fn called(calls: &[Value]) -> Value {
    json!({ "role": "assistant", "content": null, "tool_calls": calls })
}

/// A stream of pieces of calls, one an event.
fn pieces(pieces: &[&str]) -> Wire {
    let pieces: Vec<String> = pieces
        .iter()
        .map(|piece| format!(r#"{{"tool_calls":[{piece}]}}"#))
        .collect();
    let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
    deltas(&pieces, "tool_calls")
}

/// A server that shows the reasoning and, under another type, the same text as its summary.
#[timed_test::test]
async fn reasoning_that_comes_as_a_summary_too_is_shown_once() {
    let thought = json!({ "type": "reasoning", "id": "rs_1",
        "summary": [{ "type": "summary_text", "text": "Think." }],
        "content": [{ "type": "reasoning_text", "text": "Think." }] });
    let said = text("Noted.");
    let thinking = |kind: &str, piece: &str| {
        json!({ "type": format!("response.{kind}.delta"), "item_id": "rs_1", "output_index": 0, "delta": piece }).to_string()
    };
    let done = |index: usize, item: &Value| {
        json!({ "type": "response.output_item.done", "output_index": index, "item": item })
            .to_string()
    };
    check(vec![
        of(
            Format::Responses,
            "reasoning and its summary in turn",
            events(&[
                &thinking("reasoning_text", "Thi"),
                &thinking("reasoning_summary_text", "Thi"),
                &thinking("reasoning_text", "nk."),
                &thinking("reasoning_summary_text", "nk."),
                &done(0, &thought),
                r#"{"type":"response.output_text.delta","output_index":1,"delta":"Noted."}"#,
                &done(1, &said),
                r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#,
            ]),
        )
        .parts(&BOTH)
        .sent(json!([thought, said])),
    ])
    .await;
}

/// The first name is there and says nothing, and the second one has the text.
#[timed_test::test]
async fn an_empty_reasoning_does_not_hide_the_one_under_the_other_name() {
    let sent = || json!({ "role": "assistant", "content": "Noted.", "reasoning": "Think." });
    check(vec![
        chat("reasoning beside `null`", deltas(&[
            r#"{"reasoning_content":null,"reasoning":"Thi"}"#, r#"{"reasoning_content":null,"reasoning":"nk."}"#,
            r#"{"content":"Noted.","reasoning_content":null,"reasoning":null}"#], "stop"))
            .parts(&BOTH).sent(sent()),
        chat("reasoning beside an empty text", deltas(&[
            r#"{"content":"","reasoning_content":"","reasoning":"Think."}"#, r#"{"content":"Noted.","reasoning_content":"","reasoning":""}"#], "stop"))
            .parts(&BOTH).sent(sent()),
        chat("reasoning beside an empty text, whole", message(
            r#"{"role":"assistant","content":"Noted.","reasoning_content":"","reasoning":"Think."}"#, "stop"))
            .parts(&BOTH).sent(sent()),
    ])
    .await;
}

#[timed_test::test]
async fn details_that_follow_their_reasoning_in_events_of_their_own_add_nothing() {
    let detail = |text: &str| {
        json!({ "reasoning_details": [{ "type": "reasoning.text", "index": 0, "text": text }] })
            .to_string()
    };
    check(vec![
        chat(
            "details behind their reasoning",
            deltas(
                &[
                    r#"{"reasoning":"Thi"}"#,
                    &detail("Thi"),
                    r#"{"reasoning":"nk."}"#,
                    &detail("nk."),
                    r#"{"content":"Noted."}"#,
                ],
                "stop",
            ),
        )
        .parts(&BOTH)
        .sent(
            json!({ "role": "assistant", "content": "Noted.", "reasoning": "Think.",
            "reasoning_details": [{ "type": "reasoning.text", "index": 0, "text": "Think." }] }),
        ),
    ])
    .await;
}

/// A server that divides the name of a tool as it divides the arguments.
#[timed_test::test]
async fn a_name_in_pieces_is_one_name() {
    let one = || called(&[call("c1", "add_note", "{\"text\":\"a\"}")]);
    check(vec![
        chat("a name in pieces", pieces(&[
            r#"{"index":0,"id":"c1","type":"function","function":{"name":"add_","arguments":""}}"#,
            r#"{"index":0,"function":{"name":"note","arguments":""}}"#,
            r#"{"index":0,"function":{"arguments":"{\"text\":\"a\"}"}}"#])).parts(&[CALL]).sent(one()),
        chat("a name that each piece repeats and continues", pieces(&[
            r#"{"index":0,"id":"c1","type":"function","function":{"name":"add","arguments":""}}"#,
            r#"{"index":0,"function":{"name":"add_note","arguments":""}}"#,
            r#"{"index":0,"function":{"arguments":"{\"text\":\"a\"}"}}"#])).parts(&[CALL]).sent(one()),
        chat("a name in pieces, the last with arguments", pieces(&[
            r#"{"index":0,"id":"c1","type":"function","function":{"name":"add_no","arguments":""}}"#,
            r#"{"index":0,"function":{"name":"te","arguments":"{\"te"}}"#,
            r#"{"index":0,"function":{"arguments":"xt\":\"a\"}"}}"#])).parts(&[CALL]).sent(one()),
    ])
    .await;
}

#[timed_test::test]
async fn calls_that_share_a_number_and_an_id_stay_two() {
    let list = "call list_notes {}";
    check(vec![
        chat("two tools with one number and one id", pieces(&[
            r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":"{\"text\":\"a\"}"}}"#,
            r#"{"index":0,"id":"c1","function":{"name":"list_notes","arguments":"{}"}}"#])).parts(&[CALL, list])
            .sent(called(&[call("c1", "add_note", "{\"text\":\"a\"}"), call("call00001", "list_notes", "{}")])),
        chat("pieces, then another tool with the same number and without ids", pieces(&[
            r#"{"index":0,"function":{"name":"add_note","arguments":"{\"text\":"}}"#,
            r#"{"index":0,"function":{"arguments":"\"a\"}"}}"#,
            r#"{"index":0,"function":{"name":"list_notes","arguments":"{}"}}"#])).parts(&[CALL, list])
            .sent(called(&[call("call_0", "add_note", "{\"text\":\"a\"}"), call("call_1", "list_notes", "{}")])),
    ])
    .await;
}

/// A gateway that writes the error itself as the data of an event, without the key `error`.
#[timed_test::test]
async fn an_error_without_its_key_is_one_in_a_stream_too() {
    let noted = r#"{"choices":[{"index":0,"delta":{"content":"Noted."}}]}"#;
    let slow = r#"{"message":"Slow down.","type":"rate_limit_error","code":429}"#;
    check(vec![
        chat("an error without its key", events(&[slow, "[DONE]"])).fails("status 429: Slow down."),
        chat("an error without its key after pieces", events(&[noted, slow, "[DONE]"])).fails("status 429: Slow down."),
        of(Format::Anthropic, "an error as JSON text in an event of Anthropic", events(&[
            r#"{"type":"message_start","message":{"content":[]}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"No"}}"#,
            r#"{"type":"error","error":"{\"message\":\"The system met a fault.\"}"}"#]))
            .fails("status 500: The system met a fault."),
    ])
    .await;
}

#[timed_test::test]
async fn the_end_of_a_response_may_have_another_name() {
    let said = text("Noted.");
    let done =
        json!({ "type": "response.done", "response": { "status": "completed", "output": [said] } })
            .to_string();
    check(vec![
        of(
            Format::Responses,
            "`response.done`",
            events(&[
                r#"{"type":"response.output_text.delta","output_index":0,"delta":"Noted."}"#,
                &done,
            ]),
        )
        .parts(&["text Noted."])
        .sent(json!([said])),
    ])
    .await;
}

#[timed_test::test]
async fn a_call_whose_end_is_written_twice_runs_once() {
    let end = r#"{"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}]}"#;
    let again = r#"{"choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":5,"completion_tokens":3}}"#;
    let begin = r#"{"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"add_note","arguments":"{\"text\":\"a\"}"}}]}}]}"#;
    check(vec![
        chat(
            "a call with two ends",
            events(&[begin, end, again, "[DONE]"]),
        )
        .parts(&[CALL])
        .sent(called(&[call("c1", "add_note", "{\"text\":\"a\"}")])),
    ])
    .await;
}

#[timed_test::test]
async fn genai_keeps_the_text_of_the_event_with_the_reason() {
    check(vec![
        of(
            Format::GenAi(AdapterKind::OpenAI),
            "the last piece with its reason",
            events(&[
                r#"{"choices":[{"index":0,"delta":{"content":"Not"},"finish_reason":null}]}"#,
                r#"{"choices":[{"index":0,"delta":{"content":"ed."},"finish_reason":"stop"}]}"#,
                "[DONE]",
            ]),
        )
        .parts(&["text Noted."])
        .sent(json!({ "role": "assistant", "content": "Noted." })),
    ])
    .await;
}

/// The words of Anthropic and Gemini, as servers pass them on in the format of OpenAI.
#[timed_test::test]
async fn limits_and_filters_of_others_end_a_completion_as_theirs_do() {
    let whole = |choice: &str| {
        Wire::Whole(format!(
            r#"{{"choices":[{choice}],"usage":{{"prompt_tokens":5,"total_tokens":9}}}}"#
        ))
    };
    check(vec![
        chat("no message at the window", whole(r#"{"index":0,"finish_reason":"model_context_window_exceeded"}"#)).stop(Stop::Truncated),
        chat("a text that is cut at the window", deltas(&[r#"{"content":"Not"}"#], "model_context_window_exceeded"))
            .parts(&["text Not"]).stop(Stop::Truncated).sent(json!({ "role": "assistant", "content": "Not" })),
        chat("no message at a filter of Gemini", whole(r#"{"index":0,"finish_reason":"PROHIBITED_CONTENT","message":null}"#)).stop(Stop::Refused),
        of(Format::Anthropic, "no block at the window", Wire::Whole(
            r#"{"type":"message","role":"assistant","content":[],"stop_reason":"model_context_window_exceeded","usage":{"input_tokens":9,"output_tokens":0}}"#.to_owned()))
            .stop(Stop::Truncated),
        chat("a text at Anthropic's limit", deltas(&[r#"{"content":"Not"}"#], "max_tokens"))
            .parts(&["text Not"]).stop(Stop::Truncated).sent(json!({ "role": "assistant", "content": "Not" })),
        chat("a refusal of Anthropic", whole(r#"{"index":0,"finish_reason":"refusal","message":null}"#)).stop(Stop::Refused),
        chat("an answer", events(&[r#"{"choices":[{"index":0,"delta":{"content":"Noted."}}]}"#, STOP]))
            .parts(&["text Noted."]).sent(json!({ "role": "assistant", "content": "Noted." })),
    ])
    .await;
}
