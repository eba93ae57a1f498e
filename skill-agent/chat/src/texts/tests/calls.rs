//! Calls written as text.

use super::super::object::{Written, read as written};
use super::*;

/// Returns strings that each consist of one call of `add`.
fn calls() -> Vec<String> {
    let fence = "```";
    vec![
        CALL.to_owned(),
        format!("\n  {CALL}\n\n"),
        format!("{fence}json\n{CALL}\n{fence}"),
        format!("{fence}\n{CALL}\n{fence}\n"),
        format!("{fence}json\n{CALL}"),
        format!("<tool_call>\n{CALL}\n</tool_call>"),
        format!("<tool_call>{CALL}"),
        format!("<tools>\n{CALL}\n</tools>"),
        format!("{fence}xml\n<tool_call>\n{CALL}\n</tool_call>\n{fence}"),
        format!("[{CALL}]"),
        format!("[TOOL_CALLS][{CALL}]"),
        format!("<|python_tag|>{CALL}"),
        r#"{"arguments": {"a": 1}, "name": "add"}"#.to_owned(),
        r#"{"name": "add", "parameters": {"a": 1}}"#.to_owned(),
        r#"{"name": "add", "arguments": "{\"a\": 1}"}"#.to_owned(),
        r#"{"type": "function", "name": "add", "parameters": {"a": 1}}"#.to_owned(),
        r#"{"type": "function", "id": "c1", "function": {"name": "add", "arguments": {"a": 1}}}"#
            .to_owned(),
        // without the last brace
        r#"{"name": "add", "arguments": {"a": 1}"#.to_owned(),
        format!(
            "{fence}json\n{}\n{fence}",
            r#"{"name": "add", "arguments": {"a": 1}"#
        ),
        format!(
            "<tool_call>\n{}\n</tool_call>",
            r#"{"name": "add", "arguments": {"a": 1}"#
        ),
    ]
}

#[test]
fn a_text_that_is_a_call_is_a_call_and_not_shown() {
    for text in calls() {
        let expected = Seen {
            parts: vec![r#"call add {"a": 1}"#.to_owned()],
            finish: "Calls".to_owned(),
            ..Seen::default()
        };
        assert_eq!(of_text(&text, &Finish::Answered), expected, "{text}");
        // the same text in pieces without a part, and then as a part without pieces
        let pieces = completion(&text, 3, false, Finish::Answered);
        assert_eq!(seen(staged_events(&profile(), pieces)), expected, "{text}");
        let part = ModelEvent::Part(TextPart::new(&text).into());
        let whole = vec![part, ModelEvent::Finish(Finish::Answered)];
        assert_eq!(seen(staged_events(&profile(), whole)), expected, "{text}");
    }
}

#[test]
fn each_beginning_of_a_call_is_held_back() {
    let tools = tools();
    let values = r#"{"name": "add", "arguments": {"a": -7.5e-3, "b": [true, null, "\u00e9\n{"], "c": 1E+2}}"#;
    for text in calls().into_iter().chain([values.to_owned()]) {
        for (end, _) in text.char_indices() {
            let read = written(&text[..end], &tools);
            assert!(!matches!(read, Written::Text), "{:?}", &text[..end]);
        }
    }
}

#[test]
fn several_calls_in_a_row_are_several_calls() {
    let other = r#"{"name": "list_notes", "arguments": {}}"#;
    for text in [
        format!("{CALL}\n{other}"),
        format!("[{CALL}, {other}]"),
        format!("<tool_call>{CALL}</tool_call>\n<tool_call>{other}</tool_call>"),
        format!("```json\n{CALL}\n```\n\n```json\n{other}\n```"),
        format!("{CALL};{}", &other[..other.len() - 1]),
    ] {
        let expected = [r#"call add {"a": 1}"#, "call list_notes {}"];
        assert_eq!(of_text(&text, &Finish::Answered).parts, expected, "{text}");
    }
}

#[test]
fn a_call_that_the_limit_of_tokens_has_cut_stays_a_text() {
    let cut = &CALL[..CALL.len() - 1];
    let seen = of_text(cut, &Finish::Truncated);
    assert_eq!((&*seen.text, &*seen.finish), (cut, "Truncated"));
    // a whole call is read, but does not run
    let seen = of_text(CALL, &Finish::Truncated);
    assert_eq!((seen.parts.len(), &*seen.finish), (1, "Truncated"));
    assert!(seen.parts[0].starts_with("call"));
}

#[test]
fn a_text_beside_a_call_of_the_server_is_read_too() {
    let native = || {
        let part = CallPart::new(ToolCall::new("list_notes", "{}"));
        let delta = ModelEvent::CallDelta {
            index: 0,
            name: Some("list_notes".to_owned()),
            arguments: "{}".to_owned(),
        };
        [delta, ModelEvent::Part(part.into())]
    };
    for text in [CALL, "Let me see."] {
        let mut events = native().to_vec();
        events.extend(completion(text, 5, true, Finish::Calls));
        let parts = seen(staged_events(&profile(), events)).parts;
        let kind = if text == CALL {
            r#"call add {"a": 1}"#
        } else {
            "text Let me see."
        };
        assert_eq!(parts, ["call list_notes {}", kind]);
    }
    // the text comes first, and the next event shows that it is whole
    let mut events = completion(CALL, 5, true, Finish::Calls);
    let finish = events.pop();
    events.push(native()[1].clone());
    events.extend(finish);
    let names: Vec<String> = staged_events(&profile(), events)
        .iter()
        .filter_map(|event| match event {
            ModelEvent::Part(MessagePart::Call(part)) => Some(part.call.name.clone()),
            _ => None,
        })
        .collect();
    assert_eq!(names, ["add", "list_notes"]);
}
