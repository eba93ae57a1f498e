//! Pieces of calls, as servers number and name them.

use super::wires::{Wire, deltas, message};
use super::{Format, Row, check, row};
use serde_json::{Value, json};

const A: &str = r#"call add_note {"text":"a"}"#;
const B: &str = r#"call add_note {"text":"b"}"#;

/// A row whose calls have ids, which go back.
fn calls(name: &str, wire: Wire, expected: &[(&str, &str)]) -> Row {
    let call = |&(id, call): &(&str, &str)| {
        let call = call.strip_prefix("call ").unwrap();
        let (name, arguments) = call.split_once(' ').unwrap();
        json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
    };
    let calls: Vec<Value> = expected.iter().map(call).collect();
    let parts: Vec<&str> = expected.iter().map(|&(_, call)| call).collect();
    let message = json!({ "role": "assistant", "content": null, "tool_calls": calls });
    row(&format!("calls, {name}"), Format::ChatCompletions, wire)
        .parts(&parts)
        .sent(message)
}

/// A stream of pieces, one an event.
fn pieces(pieces: &[&str]) -> Wire {
    let pieces: Vec<String> = pieces
        .iter()
        .map(|piece| format!(r#"{{"tool_calls":[{piece}]}}"#))
        .collect();
    let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
    deltas(&pieces, "tool_calls")
}

fn recorded(text: &str) -> Wire {
    Wire::Stream(text.to_owned())
}

#[timed_test::test]
async fn pieces_belong_to_the_call_of_their_id() {
    check(vec![
        calls(
            "no number, a name that comes later",
            recorded(include_str!("recorded/no_index_name_later.sse")),
            &[("c1", A)],
        ),
        calls(
            "no number, id and name in each piece",
            recorded(include_str!("recorded/no_index_id_and_name_in_each.sse")),
            &[("c1", A)],
        ),
        calls(
            "no number, two calls by their ids",
            recorded(include_str!("recorded/no_index_two_calls_by_id.sse")),
            &[("c1", A), ("c2", B)],
        ),
        calls(
            "the head under 0, the rest under 1",
            recorded(include_str!("recorded/head_index_0_tail_index_1.sse")),
            &[("c1", A), ("c2", B)],
        ),
        calls(
            "one id under two numbers",
            recorded(include_str!("recorded/same_id_two_indexes.sse")),
            &[("c1", A)],
        ),
        calls(
            "one id under two numbers, then no id",
            pieces(&[
                r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":"{\"te"}}"#,
                r#"{"index":1,"id":"c1","function":{"arguments":"xt\":"}}"#,
                r#"{"index":1,"function":{"arguments":"\"a\"}"}}"#,
            ]),
            &[("c1", A)],
        ),
        calls(
            "another number for each piece",
            pieces(&[
                r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":""}}"#,
                r#"{"index":1,"function":{"arguments":"{\"text\":"}}"#,
                r#"{"index":2,"id":null,"function":{"name":null,"arguments":"\"a\"}"}}"#,
            ]),
            &[("c1", A)],
        ),
        calls(
            "a number in the first piece alone",
            pieces(&[
                r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":"{\"text\":"}}"#,
                r#"{"function":{"arguments":"\"a\"}"}}"#,
                r#"{"index":1,"id":"c2","function":{"name":"add_note","arguments":"{\"text\":"}}"#,
                r#"{"function":{"arguments":"\"b\"}"}}"#,
            ]),
            &[("c1", A), ("c2", B)],
        ),
        calls(
            "two calls in turn without more ids",
            pieces(&[
                r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":""}}"#,
                r#"{"index":1,"id":"c2","function":{"name":"add_note","arguments":""}}"#,
                r#"{"index":0,"function":{"arguments":"{\"text\":\"a\"}"}}"#,
                r#"{"index":1,"function":{"arguments":"{\"text\":\"b\"}"}}"#,
            ]),
            &[("c1", A), ("c2", B)],
        ),
        calls(
            "ids in turn under one number",
            pieces(&[
                r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":"{\"text\":"}}"#,
                r#"{"index":0,"id":"c2","function":{"name":"add_note","arguments":"{\"text\":"}}"#,
                r#"{"index":0,"id":"c1","function":{"arguments":"\"a\"}"}}"#,
                r#"{"index":0,"id":"c2","function":{"arguments":"\"b\"}"}}"#,
            ]),
            &[("c1", A), ("c2", B)],
        ),
        calls(
            "no number, two calls with names that come later",
            pieces(&[
                r#"{"id":"c1","function":{"arguments":""}}"#,
                r#"{"id":"c1","function":{"name":"add_note"}}"#,
                r#"{"id":"c1","function":{"arguments":"{\"text\":\"a\"}"}}"#,
                r#"{"id":"c2","function":{"arguments":""}}"#,
                r#"{"id":"c2","function":{"name":"add_note"}}"#,
                r#"{"id":"c2","function":{"arguments":"{\"text\":\"b\"}"}}"#,
            ]),
            &[("c1", A), ("c2", B)],
        ),
        calls(
            "an id that comes later",
            pieces(&[
                r#"{"function":{"name":"add_note","arguments":"{\"te"}}"#,
                r#"{"id":"c1","function":{"arguments":"xt\":\"a\"}"}}"#,
            ]),
            &[("c1", A)],
        ),
        calls(
            "another id in each piece",
            pieces(&[
                r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":""}}"#,
                r#"{"index":0,"id":"c2","function":{"arguments":"{\"text\":"}}"#,
                r#"{"index":0,"id":"c3","function":{"arguments":"\"a\"}"}}"#,
            ]),
            &[("c1", A)],
        ),
    ])
    .await;
}

#[timed_test::test]
async fn a_name_in_every_piece_starts_no_call() {
    check(vec![
        calls("number and name in each piece", pieces(&[
            r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":"{\"te"}}"#,
            r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":"xt\":"}}"#,
            r#"{"index":0,"function":{"name":"add_note","arguments":"\"a\"}"}}"#]), &[("c1", A)]),
        calls("a name in the last piece, without an id", pieces(&[
            r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":"{\"text\":\"a\""}}"#,
            r#"{"index":0,"id":null,"function":{"name":"add_note","arguments":"}"}}"#]), &[("c1", A)]),
        calls("two tools under one number", pieces(&[
            r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":"{\"text\":\"a\"}"}}"#,
            r#"{"index":0,"id":"c2","function":{"name":"list_notes","arguments":"{}"}}"#]), &[("c1", A), ("c2", "call list_notes {}")]),
        calls("a name in each piece alone", pieces(&[
            r#"{"function":{"name":"add_note","arguments":"{\"te"}}"#,
            r#"{"function":{"name":"add_note","arguments":"xt\":\"a\"}"}}"#]), &[("call_0", A)]),
        calls("a name in each piece, and an object within", pieces(&[
            r#"{"id":"c1","function":{"name":"add_note","arguments":"{\"text\":\"{}\",\"x\":["}}"#,
            r#"{"id":"c1","function":{"name":"add_note","arguments":"{}"}}"#,
            r#"{"id":"c1","function":{"name":"add_note","arguments":"]}"}}"#]), &[("c1", r#"call add_note {"text":"{}","x":[{}]}"#)]),
        calls("whole calls alone", pieces(&[
            r#"{"function":{"name":"add_note","arguments":"{\"text\":\"a\"}"}}"#,
            r#"{"function":{"name":"add_note","arguments":"{\"text\":\"b\"}"}}"#]), &[("call_0", A), ("call_1", B)]),
        calls("whole calls under one number", pieces(&[
            r#"{"index":0,"function":{"name":"add_note","arguments":"{\"text\":\"a\"}"}}"#,
            r#"{"index":0,"function":{"name":"add_note","arguments":"{\"text\":\"b\"}"}}"#]), &[("call_0", A), ("call_1", B)]),
        calls("whole calls of objects", pieces(&[
            r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":{"text":"a"}}}"#,
            r#"{"index":0,"id":"c2","function":{"name":"add_note","arguments":{"text":"b"}}}"#]), &[("c1", A), ("c2", B)]),
        calls("whole calls with one id", pieces(&[
            r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":"{\"text\":\"a\"}"}}"#,
            r#"{"index":1,"id":"c1","function":{"name":"add_note","arguments":"{\"text\":\"b\"}"}}"#]), &[("c1", A), ("call00001", B)]),
        calls("the same whole call under two numbers", pieces(&[
            r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":"{\"text\":\"a\"}"}}"#,
            r#"{"index":1,"id":"c1","function":{"name":"add_note","arguments":"{\"text\":\"a\"}"}}"#]), &[("c1", A), ("call00001", A)]),
        calls("other tools alone", pieces(&[
            r#"{"function":{"name":"list_notes"}}"#,
            r#"{"function":{"name":"add_note","arguments":"{\"text\":\"a\"}"}}"#]), &[("call_0", "call list_notes {}"), ("call_1", A)]),
    ])
    .await;
}

#[timed_test::test]
async fn a_whole_call_once_more_is_one_call() {
    check(vec![
        calls("once more in the last piece", recorded(include_str!("recorded/whole_call_again.sse")), &[("c1", A)]),
        calls("once more with other spaces", pieces(&[
            r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":"{\"text\":"}}"#,
            r#"{"index":0,"function":{"arguments":"\"a\"}"}}"#,
            r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":"{ \"text\": \"a\" }"}}"#]), &[("c1", A)]),
        calls("once more without an id", pieces(&[
            r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":"{\"text\":\"a\"}"}}"#,
            r#"{"index":0,"function":{"name":"add_note","arguments":"{\"text\":\"a\"}"}}"#]), &[("c1", A)]),
        calls("once more without a number", pieces(&[
            r#"{"id":"c1","function":{"name":"add_note","arguments":"{\"text\":\"a\"}"}}"#,
            r#"{"id":"c1","function":{"name":"add_note","arguments":"{\"text\":\"a\"}"}}"#]), &[("c1", A)]),
        calls("two of them once more", pieces(&[
            r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":"{\"text\":\"a\"}"}}"#,
            r#"{"index":1,"id":"c2","function":{"name":"add_note","arguments":"{\"text\":\"b\"}"}}"#,
            r#"{"index":0,"id":"c1","function":{"name":"add_note","arguments":"{\"text\":\"a\"}"}},{"index":1,"id":"c2","function":{"name":"add_note","arguments":"{\"text\":\"b\"}"}}"#]),
            &[("c1", A), ("c2", B)]),
    ])
    .await;
}

#[timed_test::test]
async fn a_call_that_a_server_sends_as_text_too_runs_once() {
    let text = r#"{"name": "add_note", "arguments": { "text": "a" }}"#;
    let other = r#"{"name": "add_note", "arguments": {"text":"b"}}"#;
    let said = |text: &str| json!({ "content": text }).to_string();
    let native = r#"{"tool_calls":[{"index":0,"id":"c1","function":{"name":"add_note","arguments":"{\"text\":\"a\"}"}}]}"#;
    let wire = |pieces: &[&str]| deltas(pieces, "tool_calls");
    let marked = format!("<tool_call>\n{text}\n</tool_call>");
    let whole = json!({ "content": text, "tool_calls": [
        { "id": "c1", "type": "function", "function": { "name": "add_note", "arguments": "{\"text\":\"a\"}" } }] });
    check(vec![
        calls("the text first", wire(&[&said(text), native]), &[("c1", A)]),
        calls("the text last", wire(&[native, &said(text)]), &[("c1", A)]),
        calls(
            "the text in marks",
            wire(&[&said(&marked), native]),
            &[("c1", A)],
        ),
        calls(
            "behind reasoning",
            wire(&[&said(&format!("<think>\n\n</think>\n{text}")), native]),
            &[("c1", A)],
        ),
        calls(
            "whole",
            message(&whole.to_string(), "tool_calls"),
            &[("c1", A)],
        ),
        calls(
            "twice in the text",
            wire(&[&said(&format!("{text}\n{text}")), native]),
            &[("c1", A)],
        ),
        calls(
            "with the reason `stop`",
            deltas(&[&said(text), native], "stop"),
            &[("c1", A)],
        ),
        // another call stays one
        calls(
            "other arguments",
            wire(&[&said(other), native]),
            &[("call00000", B), ("c1", A)],
        ),
        calls(
            "one of two",
            wire(&[&said(&format!("{text}\n{}", other)), native]),
            &[("call00000", B), ("c1", A)],
        ),
    ])
    .await;
}
