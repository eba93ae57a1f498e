//! Anthropic: blocks, streamed and whole.

use super::wires::Wire;
use super::{Format, Row, check, row};
use serde_json::{Value, json};
use skill_agent::chat::Stop;

/// Two rows, whose blocks go back as they came.
fn blocks(name: &str, blocks: Value, reason: &'static str, parts: &[&str]) -> [Row; 2] {
    [("", true), (", whole", false)].map(|(suffix, is_streamed)| {
        let wire = Wire::Blocks(blocks.clone(), reason, is_streamed);
        row(
            &format!("anthropic, {name}{suffix}"),
            Format::Anthropic,
            wire,
        )
        .parts(parts)
        .sent(blocks.clone())
    })
}

fn text(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn thinking(text: &str) -> Value {
    json!({ "type": "thinking", "thinking": text, "signature": format!("SIG{text}") })
}

const CALL: &str = r#"call add_note {"text":"a"}"#;

#[timed_test::test]
async fn blocks_are_kept_once_in_their_order() {
    let redacted = || json!({ "type": "redacted_thinking", "data": "EmwK" });
    let add =
        || json!({ "type": "tool_use", "id": "t1", "name": "add_note", "input": { "text": "a" } });
    let list = || json!({ "type": "tool_use", "id": "t2", "name": "list_notes", "input": {} });
    let search = || json!({ "type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": { "query": "a" } });
    let found = || json!({ "type": "web_search_tool_result", "tool_use_id": "srv_1", "content": [{ "type": "web_search_result", "url": "u", "encrypted_content": "E" }] });
    let cited = || json!({ "type": "text", "text": "Noted.", "citations": [{ "type": "web_search_result_location", "url": "u", "encrypted_index": "I" }] });
    let (end, calls) = ("end_turn", "tool_use");
    let rows = [
        blocks("text", json!([text("Noted.")]), end, &["text Noted."]),
        blocks(
            "thinking, then text",
            json!([thinking("Think."), text("Noted.")]),
            end,
            &["reasoning Think.", "text Noted."],
        ),
        blocks(
            "thinking that is hidden, then text",
            json!([thinking(""), text("Noted.")]),
            end,
            &["reasoning ", "text Noted."],
        ),
        blocks(
            "thinking that is redacted, then text",
            json!([redacted(), text("Noted.")]),
            end,
            &["reasoning ", "text Noted."],
        ),
        blocks(
            "thinking, redacted thinking, then text",
            json!([thinking("Think."), redacted(), text("Noted.")]),
            end,
            &["reasoning Think.", "reasoning ", "text Noted."],
        ),
        blocks(
            "thinking, text, a call",
            json!([thinking("Think."), text("So."), add()]),
            calls,
            &["reasoning Think.", "text So.", CALL],
        ),
        blocks(
            "thinking, then a call",
            json!([thinking("Think."), add()]),
            calls,
            &["reasoning Think.", CALL],
        ),
        blocks(
            "text, then a call",
            json!([text("So."), add()]),
            calls,
            &["text So.", CALL],
        ),
        blocks(
            "a call, then text",
            json!([add(), text("So.")]),
            calls,
            &[CALL, "text So."],
        ),
        blocks(
            "two calls",
            json!([add(), list()]),
            calls,
            &[CALL, "call list_notes {}"],
        ),
        blocks(
            "thinking in turn",
            json!([thinking("Think."), text("So."), thinking("More."), add()]),
            calls,
            &["reasoning Think.", "text So.", "reasoning More.", CALL],
        ),
        blocks(
            "thinking and calls in turn",
            json!([thinking("Think."), add(), thinking("More."), list()]),
            calls,
            &[
                "reasoning Think.",
                CALL,
                "reasoning More.",
                "call list_notes {}",
            ],
        ),
        blocks(
            "a search, then a text with sources",
            json!([thinking("Think."), text("So: "), search(), found(), cited()]),
            end,
            &[
                "reasoning Think.",
                "text So: ",
                "opaque",
                "opaque",
                "text Noted.",
            ],
        ),
        blocks(
            "texts, some with sources",
            json!([text("So: "), cited(), text(" Yes.")]),
            end,
            &["text So: ", "text Noted.", "text  Yes."],
        ),
    ];
    let mut rows: Vec<Row> = rows.into_iter().flatten().collect();
    let ended = |rows: [Row; 2], stop: Stop| rows.map(|row| row.stop(stop));
    rows.extend(ended(
        blocks(
            "refusal",
            json!([text("I cannot.")]),
            "refusal",
            &["text I cannot."],
        ),
        Stop::Refused,
    ));
    let cut = blocks(
        "a text that is cut",
        json!([thinking("Think."), text("Not")]),
        "max_tokens",
        &["reasoning Think.", "text Not"],
    );
    rows.extend(ended(cut, Stop::Truncated));
    // Anthropic refuses empty texts
    let spaces = blocks(
        "thinking, line ends, a call",
        json!([thinking("Think."), text("\n\n"), add()]),
        calls,
        &["reasoning Think.", "text \n\n", CALL],
    );
    rows.extend(spaces.map(|row| row.sent(json!([thinking("Think."), add()]))));
    rows.extend(blocks("empty", json!([text("")]), end, &[]).map(|row| row.sent(Value::Null)));
    check(rows).await;
}
