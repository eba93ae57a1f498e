//! Responses: items, streamed and whole.

use super::wires::{Wire, events};
use super::{Format, Row, check, row};
use serde_json::{Value, json};
use skill_agent::chat::Stop;

/// Two rows, whose items go back as they came.
fn items(name: &str, items: Value, parts: &[&str]) -> [Row; 2] {
    [("", true), (", whole", false)].map(|(suffix, is_streamed)| {
        let wire = Wire::Items(items.clone(), is_streamed);
        row(
            &format!("responses, {name}{suffix}"),
            Format::Responses,
            wire,
        )
        .parts(parts)
        .sent(items.clone())
    })
}

fn text(text: &str) -> Value {
    json!({ "type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": [{ "type": "output_text", "text": text, "annotations": [] }] })
}

fn reasoning(id: &str, text: &str) -> Value {
    let summary = json!([{ "type": "summary_text", "text": text }]);
    let summary = if text.is_empty() { json!([]) } else { summary };
    json!({ "type": "reasoning", "id": id, "summary": summary, "encrypted_content": format!("gAAA{id}") })
}

fn call(id: &str, name: &str, arguments: &str) -> Value {
    json!({ "type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name, "arguments": arguments, "status": "completed" })
}

const CALL: &str = r#"call add_note {"text":"a"}"#;

#[timed_test::test]
async fn items_are_kept_once_in_their_order() {
    let add = || call("c1", "add_note", "{\"text\":\"a\"}");
    let list = || call("c2", "list_notes", "{}");
    let search = || json!({ "type": "web_search_call", "id": "ws_1", "status": "completed", "action": { "type": "search", "query": "a" } });
    let refusal = || json!({ "type": "message", "id": "msg_1", "role": "assistant", "content": [{ "type": "refusal", "refusal": "I cannot." }] });
    let two_texts = || json!({ "type": "message", "id": "msg_1", "role": "assistant", "content": [{ "type": "output_text", "text": "So " }, { "type": "output_text", "text": "be it." }] });
    let raw_reasoning = || json!({ "type": "reasoning", "id": "rs_1", "summary": [], "content": [{ "type": "reasoning_text", "text": "Think." }] });
    let rows = [
        items("text", json!([text("Noted.")]), &["text Noted."]),
        items(
            "reasoning, then text",
            json!([reasoning("rs_1", "Think."), text("Noted.")]),
            &["reasoning Think.", "text Noted."],
        ),
        items(
            "hidden reasoning, then text",
            json!([reasoning("rs_1", ""), text("Noted.")]),
            &["reasoning ", "text Noted."],
        ),
        items(
            "open reasoning, then text",
            json!([raw_reasoning(), text("Noted.")]),
            &["reasoning Think.", "text Noted."],
        ),
        items(
            "reasoning, text, a call",
            json!([reasoning("rs_1", "Think."), text("So."), add()]),
            &["reasoning Think.", "text So.", CALL],
        ),
        items(
            "reasoning, then a call",
            json!([reasoning("rs_1", "Think."), add()]),
            &["reasoning Think.", CALL],
        ),
        items(
            "text, then a call",
            json!([text("So."), add()]),
            &["text So.", CALL],
        ),
        items(
            "a call, then text",
            json!([add(), text("So.")]),
            &[CALL, "text So."],
        ),
        items(
            "two calls",
            json!([add(), list()]),
            &[CALL, "call list_notes {}"],
        ),
        items(
            "reasoning and calls in turn",
            json!([
                reasoning("rs_1", "Think."),
                add(),
                reasoning("rs_2", "More."),
                list()
            ]),
            &[
                "reasoning Think.",
                CALL,
                "reasoning More.",
                "call list_notes {}",
            ],
        ),
        items(
            "reasoning and texts in turn",
            json!([
                reasoning("rs_1", "Think."),
                text("So."),
                reasoning("rs_2", "More."),
                text(" And so.")
            ]),
            &[
                "reasoning Think.",
                "text So.",
                "reasoning More.",
                "text  And so.",
            ],
        ),
        items(
            "two texts in an item",
            json!([reasoning("rs_1", "Think."), two_texts()]),
            &["reasoning Think.", "text So be it."],
        ),
        items(
            "a search, then text",
            json!([reasoning("rs_1", "Think."), search(), text("Noted.")]),
            &["reasoning Think.", "opaque", "text Noted."],
        ),
    ];
    let mut rows: Vec<Row> = rows.into_iter().flatten().collect();
    let refused = items(
        "refusal",
        json!([reasoning("rs_1", "Think."), refusal()]),
        &["reasoning Think.", "text I cannot."],
    );
    rows.extend(refused.map(|row| row.stop(Stop::Refused)));
    let empty = items("empty", json!([]), &[]);
    rows.extend(empty.map(|row| row.sent(Value::Null)));
    check(rows).await;
}

#[timed_test::test]
async fn items_that_the_last_event_leaves_out_are_kept() {
    let done = |index: usize, item: &Value| {
        format!(r#"{{"type":"response.output_item.done","output_index":{index},"item":{item}}}"#)
    };
    let delta = r#"{"type":"response.output_text.delta","output_index":1,"delta":"Noted."}"#;
    let last = r#"{"type":"response.completed","response":{"status":"completed","output":[]}}"#;
    let (thought, said) = (reasoning("rs_1", "Think."), text("Noted."));
    let thinking =
        r#"{"type":"response.reasoning_summary_text.delta","output_index":0,"delta":"Think."}"#;
    let responses = |name: &str, wire| row(&format!("responses, {name}"), Format::Responses, wire);
    let cut = json!({ "status": "incomplete", "incomplete_details": { "reason": "max_output_tokens" }, "output": [text("Not")] });
    check(vec![
        responses("items before the last event", events(&[thinking, &done(0, &thought), delta, &done(1, &said), last]))
            .parts(&["reasoning Think.", "text Noted."]).sent(json!([thought, said])),
        responses("items in another order", events(&[thinking, delta, &done(1, &said), &done(0, &thought), last]))
            .parts(&["reasoning Think.", "text Noted."]).sent(json!([thought, said])),
        responses("pieces alone", events(&[delta, last])).parts(&["text Noted."])
            .sent(json!([{ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": "Noted." }] }])),
        responses("a text that is cut", events(&[
            r#"{"type":"response.output_text.delta","output_index":0,"delta":"Not"}"#,
            &json!({ "type": "response.incomplete", "response": cut }).to_string()]))
            .parts(&["text Not"]).stop(Stop::Truncated).sent(json!([text("Not")])),
    ])
    .await;
}
