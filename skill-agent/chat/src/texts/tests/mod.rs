//! Tests of the stages with scripted completions, split into pieces of any size.

mod calls;
mod think;

use super::*;
use crate::{CallPart, KeptItem, MessagePart, TextPart};
use serde_json::json;
use skill_agent_models::{Finish, Provider, ToolCall};
use skill_core::ToolBuf;

fn tools() -> Vec<ToolBuf> {
    let schema = json!({ "type": "object" });
    let names = ["add", "list_notes"];
    names
        .map(|name| ToolBuf::new(name, "", schema.clone()))
        .into()
}

fn profile() -> ModelProfile {
    ModelProfile::new(Provider::OPENAI_COMPATIBLE)
        .with_think_tags(true)
        .with_text_calls(true)
}

/// Stream of a model's events.
struct Sent(VecDeque<ModelEvent>);

impl Stream for Sent {
    type Item = Result<ModelEvent, ModelError>;

    fn poll_next(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Poll::Ready(self.0.pop_front().map(Ok))
    }
}

/// Returns the events after the stages, without keep-alives.
fn staged_events(profile: &ModelProfile, events: Vec<ModelEvent>) -> Vec<ModelEvent> {
    let mut request = ChatRequest::new(Vec::new());
    request.tools = tools().into();
    let mut staged = read(profile, &request, Box::pin(Sent(events.into())));
    let mut cx = Context::from_waker(std::task::Waker::noop());
    let mut seen = Vec::new();
    while let Poll::Ready(Some(event)) = staged.as_mut().poll_next(&mut cx) {
        seen.push(event.unwrap());
    }
    seen.retain(|event| *event != ModelEvent::KeepAlive);
    seen
}

/// Returns a completion of one text, in pieces of `size` characters, followed by a part if `has_part` is set.
fn completion(text: &str, size: usize, has_part: bool, finish: Finish) -> Vec<ModelEvent> {
    let chars: Vec<char> = text.chars().collect();
    let pieces = chars
        .chunks(size)
        .map(|piece| ModelEvent::Text(piece.iter().collect()));
    let part = has_part.then(|| ModelEvent::Part(TextPart::new(text).into()));
    let end = [ModelEvent::Finish(finish)];
    pieces.chain(part).chain(end).collect()
}

/// Shown text and reasoning, parts and finish, each as a short string.
#[derive(Debug, Default, PartialEq)]
struct Seen {
    text: String,
    reasoning: String,
    parts: Vec<String>,
    finish: String,
}

fn seen(events: Vec<ModelEvent>) -> Seen {
    let mut seen = Seen::default();
    let mut deltas = Vec::new();
    for event in events {
        match event {
            ModelEvent::Text(piece) => seen.text += &piece,
            ModelEvent::Reasoning(piece) => seen.reasoning += &piece,
            ModelEvent::CallDelta {
                index,
                name,
                arguments,
            } => {
                assert_eq!(index, deltas.len());
                deltas.push(format!("call {} {arguments}", name.unwrap()));
            }
            ModelEvent::Part(part) => seen.parts.push(match part {
                MessagePart::Text(part) => format!("text {}", part.text),
                MessagePart::Reasoning(part) => format!("reasoning {}", part.text),
                MessagePart::Call(part) => {
                    let call = format!("call {} {}", part.call.name, part.call.arguments);
                    assert_eq!(
                        deltas[seen
                            .parts
                            .iter()
                            .filter(|part| part.starts_with("call"))
                            .count()],
                        call
                    );
                    call
                }
                part => format!("{part:?}"),
            }),
            ModelEvent::Finish(finish) => seen.finish = format!("{finish:?}"),
            event => panic!("{event:?}"),
        }
    }
    seen
}

/// Returns what a reader sees of `text`, after checking that pieces of every size give the same result.
fn of_text(text: &str, finish: &Finish) -> Seen {
    let all = |size| {
        let completion = completion(text, size, true, finish.clone());
        seen(staged_events(&profile(), completion))
    };
    let first = all(1);
    for size in 2..=text.chars().count().max(2) {
        assert_eq!(all(size), first, "{text:?} in pieces of {size}");
    }
    first
}

const CALL: &str = r#"{"name": "add", "arguments": {"a": 1}}"#;

#[test]
fn other_texts_stay_texts() {
    let cut = &CALL[..CALL.len() - 1];
    for text in [
        "",
        "Hello.",
        "{",
        "[1] is the source.",
        "``",
        "<b>bold</b>",
        r#"{"steps": ["buy milk"]}"#,
        r#"{"name": "Ada", "arguments": {}}"#,
        r#"{"name": "add"}"#,
        r#"{"name": "add", "arguments": [1]}"#,
        r#"{"name": "add", "arguments": "1"}"#,
        r#"{"name": "add", "arguments": {}, "why": "a key of something else"}"#,
        r#"{"name": 1, "arguments": {}}"#,
        r#"{"name": "add", "arguments": {"a": "#,
        r#"{"name": "add", "arguments": {"a": 1"#,
        &format!("Call it like this: {CALL}"),
        &format!("{CALL}\n\nThis adds one."),
        &format!("{CALL}\n{{\"other\": 1}}"),
        &format!("{cut}\n\nThis adds one."),
        &format!("For example:\n```json\n{CALL}\n```"),
    ] {
        let seen = of_text(text, &Finish::Answered);
        assert_eq!(seen.text, text);
        assert_eq!(seen.parts, [format!("text {text}")]);
        assert_eq!(seen.finish, "Answered");
    }
}

#[test]
fn a_part_that_a_server_wants_back_is_not_read() {
    let part = TextPart::new(CALL).with_item(KeptItem::new("f", "{}"));
    let events = vec![
        ModelEvent::Part(part.into()),
        ModelEvent::Finish(Finish::Answered),
    ];
    assert_eq!(staged_events(&profile(), events.clone()), events);
    // with its pieces, as servers send it
    for text in [CALL, "[]", "<think>Hm.</think>Hello."] {
        let part = TextPart::new(text).with_item(KeptItem::new("f", "{}"));
        let events = vec![
            ModelEvent::Text(text.to_owned()),
            ModelEvent::Part(part.into()),
            ModelEvent::Finish(Finish::Answered),
        ];
        let staged = staged_events(&profile(), events);
        let is_call = |event: &ModelEvent| matches!(event, ModelEvent::Part(MessagePart::Call(_)));
        assert!(!staged.iter().any(is_call), "{staged:?}");
        let texts = staged.iter().filter_map(|event| match event {
            ModelEvent::Part(MessagePart::Text(part)) => Some(&*part.text),
            _ => None,
        });
        let expected = if text.starts_with('<') {
            "Hello."
        } else {
            text
        };
        assert_eq!(texts.collect::<Vec<_>>(), [expected], "{staged:?}");
        let last = staged
            .iter()
            .rposition(|event| matches!(event, ModelEvent::Text(_)));
        let part = staged
            .iter()
            .position(|event| matches!(event, ModelEvent::Part(MessagePart::Text(_))));
        assert!(last < part, "{staged:?}");
    }
}

#[test]
fn a_text_about_the_tags_stays_a_text() {
    let text = "Qwen writes:\n```\n<think>\nHm.\n</think>\nHello.\n```\n";
    assert_eq!(super::split(text), (None, text));
}

#[test]
fn without_the_options_nothing_is_read() {
    let plain = ModelProfile::new(Provider::OPENAI_CHAT);
    for text in [CALL, "<think>Hm.</think>Hello."] {
        let events = completion(text, 4, true, Finish::Answered);
        assert_eq!(staged_events(&plain, events.clone()), events);
    }
    // with constrained tools, any text is an answer
    let constrained = profile().with_constrained_tools(true);
    let events = completion(CALL, 4, true, Finish::Answered);
    assert_eq!(staged_events(&constrained, events.clone()), events);
}

#[test]
fn a_long_text_that_may_become_a_call_is_shown_at_last() {
    let begin = r#"{"name": "add", "arguments": {"a": ""#;
    let text = format!("{begin}{}", "x".repeat(skill_core::MAX_ARGUMENT_BYTES));
    let begun = std::time::Instant::now();
    let seen = seen(staged_events(
        &profile(),
        completion(&text, 7, true, Finish::Answered),
    ));
    assert_eq!((seen.text.len(), seen.parts.len()), (text.len(), 1));
    // linear time: a check after each piece would take hours
    assert!(begun.elapsed() < std::time::Duration::from_secs(60));
}
