//! Patterns in what a program shows, also where a stream cuts them.

use super::*;
use serde_json::json;
use skill_agent::ToolBuf;
use skill_agent::chat::{Fallback, ModelError, Redact};
use skill_agent::models::ToolCall;
use skill_agent::toolbox::{SourceCall, SourceError, SourceTool, ToolOutput, ToolSource, Toolbox};

const CARD: &str = r"\d{4}( ?\d{4}){3}";

/// A model that writes a text in these pieces.
fn pieces<'a>(pieces: impl IntoIterator<Item = &'a str>) -> Scripted {
    let pieces = pieces
        .into_iter()
        .map(|piece| ModelEvent::Text(piece.into()));
    let end = [ModelEvent::Finish(Finish::Answered)];
    Scripted::new().events(pieces.chain(end))
}

async fn shown_by(model: Scripted, redact: &Redact) -> (String, String) {
    let server = server().await;
    let mut chat = layered(&model, &server, redact.clone()).build().unwrap();
    let text = shown(&mut chat, "Hi.").await;
    (text, chat.history()[1].text())
}

#[timed_test::test]
async fn a_match_is_found_wherever_a_stream_cuts_it() {
    let text = "Pay with 4111 1111 1111 1111, dear Zoë, or not.";
    let redact = Redact::new([CARD, "Zoë"]).longest(24);
    let expected = "Pay with [redacted], dear [redacted], or not.";
    assert_eq!(redact.text(text), expected);
    for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
        let (one, other) = text.split_at(at);
        let seen = shown_by(pieces([one, other]), &redact).await;
        assert_eq!(seen, (expected.to_owned(), text.to_owned()), "{at}");
    }
    for longest in [19, 24, 64, 1000] {
        let redact = redact.clone().longest(longest);
        let single = text
            .char_indices()
            .map(|(at, char)| &text[at..at + char.len_utf8()]);
        let seen = shown_by(pieces(single), &redact).await;
        assert_eq!(seen.0, expected, "{longest}");
    }
}

/// Pieces and whole parts, as models with and without streaming give them.
#[timed_test::test]
async fn the_turn_is_redacted_and_the_history_is_not() {
    for streams in [true, false] {
        let server = server().await;
        let model = said(Scripted::new(), "It is sk-12345.", streams);
        let redact = Redact::new(["sk-[0-9]+"]).by("***");
        let mut chat = layered(&model, &server, redact).build().unwrap();
        let turn = chat.send("Which key?").await.unwrap();
        assert_eq!(turn.text(), "It is ***.");
        assert_eq!(chat.history()[1].text(), "It is sk-12345.");
        assert_eq!(chat.history()[1].parts.len(), 1);
    }
}

#[timed_test::test]
async fn texts_are_the_same_as_without_a_stream() {
    let texts = [
        "aXXb XX XXXX aXbXXX",
        "11112222 3333 1111 2222 33334444 55556666",
        "no match at all, but a rather long text that goes on and on, and then ends",
        "XX",
        "éXXéXXXXé",
    ];
    for text in texts {
        for longest in [4, 9, 30] {
            let redact = Redact::new(["XX", r"\d{4} ?\d{4}", "a.b"]).longest(longest);
            for size in 1..6 {
                let chars: Vec<char> = text.chars().collect();
                let parts: Vec<String> = chars
                    .chunks(size)
                    .map(|part| part.iter().collect())
                    .collect();
                let seen = shown_by(pieces(parts.iter().map(String::as_str)), &redact).await;
                if longest >= 9 {
                    assert_eq!(seen.0, redact.text(text), "{text} {longest} {size}");
                }
                assert_eq!(seen.1, text);
                assert!(!seen.0.contains("XX"), "{}", seen.0);
            }
        }
    }
}

/// A match that is longer than what is held back, but has begun.
#[timed_test::test]
async fn a_match_that_goes_on_is_held_back() {
    let key = format!("sk-{}", "a".repeat(500));
    let text = format!("The key is {key}, keep it.");
    let redact = Redact::new(["sk-[a-z]+"]).longest(8);
    let single = text.char_indices().map(|(at, _)| &text[at..=at]);
    let seen = shown_by(pieces(single), &redact).await;
    assert_eq!(seen.0, "The key is [redacted], keep it.");
}

#[timed_test::test]
async fn text_is_shown_while_it_is_written() {
    let server = server().await;
    let long = "word ".repeat(40);
    let model = pieces([long.as_str()]).then_stall();
    let redact = Redact::new([CARD]);
    let mut chat = layered(&model, &server, redact).build().unwrap();
    let mut turn = chat.stream("Hi.");
    let Some(Ok(Event::Text(first))) = turn.next().await else {
        panic!("no text");
    };
    assert_eq!(first.len(), 200 - 64);
    turn.chat().canceller().cancel();
    turn.finish().await.unwrap();
}

#[timed_test::test]
async fn reasoning_and_calls_are_redacted_where_they_are_shown() {
    let server = server().await;
    let arguments = r#"{"text":"key sk-12345"}"#;
    let delta = |name: Option<&str>, piece: &str| ModelEvent::CallDelta {
        index: 0,
        name: name.map(str::to_owned),
        arguments: piece.into(),
    };
    let call = skill_agent::chat::CallPart::new(ToolCall::new("add_note", arguments));
    let model = Scripted::new().events([
        ModelEvent::Reasoning("The key is sk-1".into()),
        ModelEvent::Reasoning("2345.".into()),
        delta(Some("add_note"), &arguments[..16]),
        delta(None, &arguments[16..]),
        ModelEvent::Part(skill_agent::chat::MessagePart::Call(call)),
        ModelEvent::Finish(Finish::Calls),
    ]);
    let model = model.calls([("list_notes", json!({}))]).text("Done.");
    let redact = Redact::new(["sk-[0-9]+"]).by("***");
    let mut chat = layered(&model, &server, redact).build().unwrap();
    let mut turn = chat.stream("Note the key.");
    let mut seen = Vec::new();
    while let Some(event) = turn.next().await {
        let event = event.unwrap();
        if !matches!(event, Event::StepEnd(_)) {
            seen.push(format!("{event:?}"));
        }
    }
    drop(turn);
    assert!(
        seen.iter().all(|event| !event.contains("12345")),
        "{seen:#?}"
    );
    let is = |text: &str| seen.iter().any(|event| event.contains(text));
    assert!(
        is("The key is ***") && is(r#"Calling"#) && is("key ***"),
        "{seen:#?}"
    );
    // the tool got the original, and so did the history
    assert_eq!(lines(&server).await, ["key sk-12345"]);
    let history = format!("{:?}", chat.history());
    assert_eq!(history.matches("sk-12345").count(), 3); // reasoning, arguments, and the list
    // but the model did not
    let requests = format!(
        "{:?}",
        model.requests()[1..]
            .iter()
            .map(|r| &r.messages)
            .collect::<Vec<_>>()
    );
    assert!(!requests.contains("12345") && requests.contains("***"));
}

/// A provider may end its text between the pieces of a call and the call.
#[timed_test::test]
async fn the_end_of_a_text_loses_no_pieces_of_a_call() {
    let server = server().await;
    let arguments = r#"{"text":"a"}"#;
    let call = skill_agent::chat::CallPart::new(ToolCall::new("add_note", arguments));
    let model = Scripted::new().events([
        ModelEvent::Text("I note it.".into()),
        ModelEvent::CallDelta {
            index: 0,
            name: Some("add_note".into()),
            arguments: arguments.into(),
        },
        ModelEvent::Part(skill_agent::chat::TextPart::new("I note it.").into()),
        ModelEvent::Part(skill_agent::chat::MessagePart::Call(call)),
        ModelEvent::Finish(Finish::Calls),
    ]);
    let redact = Redact::new(["sk-[0-9]+"]);
    let mut chat = layered(&model.text("Done."), &server, redact)
        .build()
        .unwrap();
    let mut turn = chat.stream("Note it.");
    let mut shown = String::new();
    while let Some(event) = turn.next().await {
        if let Event::CallDelta { arguments, .. } = event.unwrap() {
            shown += &arguments;
        }
    }
    assert_eq!(shown, arguments);
}

#[timed_test::test]
async fn pieces_before_a_retry_or_a_switch_are_forgotten() {
    tokio::time::pause();
    let server = server().await;
    let cut = || ModelError::CutOff { request_id: None };
    let redact = Redact::new([CARD]);
    // held back, so that nothing was shown
    let model = Scripted::new()
        .events([ModelEvent::Text("It is 4111".into())])
        .then_error(cut());
    let model = model.text("1111 1111 1111 is not whole.");
    let mut chat = layered(&model, &server, redact.clone()).build().unwrap();
    assert_eq!(
        events(chat.stream("Hi.")).await[..2],
        ["retry 2 after 1 s", "text 1111 1111 1111 is not whole."]
    );
    let first = Scripted::new().error(cut());
    let chat = Chat::builder(
        Fallback::new(first).then(Scripted::new().text("Hi.")),
        Toolbox::of(&server),
    );
    let mut chat = chat.layer(redact).build().unwrap();
    assert_eq!(
        events(chat.stream("Hi.")).await[..2],
        ["switched to 1, cache lost", "text Hi."]
    );
    assert_eq!(chat.history()[1].text(), "Hi.");
}

/// The program reads the value, and shows it or not.
#[timed_test::test]
async fn a_typed_answer_is_the_original() {
    let server = server().await;
    let model = Scripted::new().text(r#"{"answer":"sk-12345"}"#);
    let redact = Redact::new(["sk-[0-9]+"]);
    let mut chat = layered(&model, &server, redact).build().unwrap();
    assert_eq!(chat.ask::<String>("Which?").await.unwrap(), "sk-12345");
}

#[timed_test::test]
async fn an_invalid_pattern_is_a_mistake() {
    let server = server().await;
    let error = |pattern: &str| {
        let built = layered(&Scripted::new(), &server, Redact::new([pattern])).build();
        built.unwrap_err().to_string()
    };
    let found = error("(");
    assert!(
        found.starts_with(
            "a pattern of `Redact` cannot be used: it is no regular expression: `(`: "
        ),
        "{found}"
    );
    assert_eq!(
        error("x*"),
        "a pattern of `Redact` cannot be used: it matches everywhere, because it matches the empty text: `x*`"
    );
}

/// Random texts of a few characters, in random pieces, with patterns that overlap and follow each other.
#[timed_test::test]
async fn random_pieces_show_the_same_as_the_whole_text() {
    let server = server().await;
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move |most: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % most as u64) as usize
    };
    for _ in 0..400 {
        let chars: Vec<char> = (0..random(60))
            .map(|_| ['1', '1', 'X', 'é', ' '][random(5)])
            .collect();
        let mut parts = vec![String::new()];
        for char in &chars {
            if random(3) == 0 {
                parts.push(String::new());
            }
            parts.last_mut().unwrap().push(*char);
        }
        let text: String = chars.iter().collect();
        let redact = Redact::new(["1111", "11é", "X 1?X", "é.X"])
            .by("_")
            .longest(8 + random(20));
        let model = pieces(parts.iter().map(String::as_str));
        let mut chat = layered(&model, &server, redact.clone()).build().unwrap();
        let seen = shown(&mut chat, "Hi.").await;
        assert_eq!(seen, redact.text(&text), "{parts:?}");
    }
}

/// A source that reports a key, and sends it.
struct Keys;

impl ToolSource for Keys {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        let schema = json!({ "type": "object", "properties": {} });
        let tool = SourceTool::new(ToolBuf::new("find_key", "Finds the key.", schema));
        Box::pin(async { Ok(vec![tool]) })
    }

    fn call<'a>(&'a self, call: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(async move {
            call.progress.unwrap().send(json!({ "found": "sk-12345" }));
            Err(SourceError::failed("sk-12345 is no key"))
        })
    }
}

#[timed_test::test]
async fn progress_and_errors_are_redacted() {
    let toolbox = Toolbox::builder()
        .source("keys", Keys)
        .build()
        .await
        .unwrap();
    let model = Scripted::new()
        .calls([("find_key", json!({}))])
        .text("Done.");
    let chat = Chat::builder(model.clone(), toolbox).layer(Redact::new(["sk-[0-9]+"]).by("***"));
    let mut chat = chat.build().unwrap();
    let (mut progress, mut called) = (Vec::new(), Vec::new());
    let mut turn = chat.stream("Which key?");
    while let Some(event) = turn.next().await {
        match event.unwrap() {
            Event::Progress(report) => progress.push(report.value),
            Event::Called(call) => called.push(call.result.unwrap_err().to_string()),
            _ => {}
        }
    }
    drop(turn);
    assert_eq!(progress, [json!({ "found": "***" })]);
    assert_eq!(called, ["*** is no key"]);
    let error = |messages: &[skill_agent::chat::Message]| {
        messages[2].results().next().unwrap().text().into_owned()
    };
    assert_eq!(error(&model.requests()[1].messages), "*** is no key");
    assert_eq!(error(chat.history()), "sk-12345 is no key");
}

#[timed_test::test]
async fn a_match_without_end_is_not_held_back_for_ever() {
    let text = format!("sk-{}", "a".repeat(9_000));
    let parts: Vec<&str> = (0..text.len())
        .step_by(100)
        .map(|at| &text[at..text.len().min(at + 100)])
        .collect();
    let redact = Redact::new(["sk-[a-z]+"]).by("***");
    let (seen, kept) = shown_by(pieces(parts), &redact).await;
    assert!(
        seen.starts_with("***a") && seen.len() < 5_000,
        "{}",
        seen.len()
    );
    assert_eq!(kept, text);
}
