//! Reasoning between tags.

use super::*;

#[test]
fn reasoning_between_tags_is_reasoning() {
    for (text, reasoning, rest) in [
        ("<think>Hm.</think>Hello.", "Hm.", "Hello."),
        (
            "\n<think>\nHm.\n\nYes. </think>\n\nHello.",
            "Hm.\n\nYes.",
            "Hello.",
        ),
        (
            "<thinking>a < b</thinking>\nHello <think>.",
            "a < b",
            "Hello <think>.",
        ),
        ("[THINK]Hm.[/THINK]Hello.", "Hm.", "Hello."),
        ("<think>Hm.</thin</think>Hello.", "Hm.</thin", "Hello."),
        ("<think>\n\n</think>\n\nHello.", "", "Hello."),
        ("<think>Hm. And th", "Hm. And th", ""),
        ("<think>Hm.</thi", "Hm.</thi", ""),
        ("<think>é</think>", "é", ""),
        ("I <think> so.", "", "I <think> so."),
        ("<thin", "", "<thin"),
        (
            "Close it with </think> like this.",
            "",
            "Close it with </think> like this.",
        ),
    ] {
        let seen = of_text(text, &Finish::Answered);
        assert_eq!(seen.text, rest, "{text}");
        assert_eq!(seen.reasoning.trim(), reasoning, "{text}");
        let mut parts = Vec::new();
        parts.extend(Some(format!("reasoning {reasoning}")).filter(|_| !reasoning.is_empty()));
        parts.extend(Some(format!("text {rest}")).filter(|_| !rest.is_empty()));
        assert_eq!(seen.parts, parts, "{text}");
        let pieces = completion(text, 2, false, Finish::Answered);
        let pieces = super::seen(staged_events(&profile(), pieces));
        assert_eq!((pieces.text, pieces.reasoning), (seen.text, seen.reasoning));
    }
}

#[test]
fn a_second_tag_alone_ends_reasoning_if_it_begins_or_ends_a_line() {
    for text in [
        "Hm.\n</think>\n\nHello.",
        "Hm.</think>\nHello.",
        "Hm.\n</think>Hello.",
    ] {
        let seen = of_text(text, &Finish::Answered);
        assert_eq!(seen.parts, ["reasoning Hm.", "text Hello."]);
    }
}

#[test]
fn a_call_behind_reasoning_is_a_call() {
    for text in [
        format!("<think>I need {CALL}.</think>\n\n{CALL}"),
        format!("<think>\n\n</think>\n\n<tool_call>\n{CALL}\n</tool_call>"),
    ] {
        let seen = of_text(&text, &Finish::Answered);
        assert_eq!(seen.parts.last().unwrap(), r#"call add {"a": 1}"#);
        assert_eq!((&*seen.text, &*seen.finish), ("", "Calls"));
    }
}

#[test]
fn reasoning_that_the_server_sends_itself_is_not_taken_from_the_text_again() {
    let of = |native: &str, text: &str| {
        let mut events = vec![ModelEvent::Reasoning(native.to_owned())];
        events.extend(completion(text, 2, true, Finish::Answered));
        super::seen(staged_events(&profile(), events))
    };
    let seen = of("Hm. Yes.", "<think>\nHm. Yes.\n</think>\n\nHello.");
    assert_eq!((&*seen.reasoning, &*seen.text), ("Hm. Yes.", "Hello."));
    assert_eq!(seen.parts, ["text Hello."]);
    let seen = of("Hm. Yes.", "<think>Hm. No.</think>Hello.");
    assert_eq!(seen.reasoning, "Hm. Yes.Hm. No.");
    assert_eq!(seen.parts, ["reasoning Hm. No.", "text Hello."]);
}
