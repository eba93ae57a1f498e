//! Warnings in the log.

use crate::log::Warnings;
use crate::mistakes::{few_tokens, small_window};
use crate::support::*;
use serde_json::json;
use skill_agent::chat::{
    Chat, ChatError, Event, Limits, ModelEvent, ModelProfile, Scripted, Stop, Usage,
};
use skill_agent::models::{Finish, Provider};
use skill_agent::toolbox::Toolbox;
use std::time::Duration;

#[timed_test::test]
async fn an_answer_without_a_text_is_a_warning() {
    let (warnings, _recording) = Warnings::record();
    let server = server().await;
    let model = Scripted::new().text("").text("\n").text("Done.");
    let mut chat = Chat::builder(model, Toolbox::of(&server)).build().unwrap();
    for expected in ["", "\n", "Done."] {
        let turn = chat.send("Hello?").await.unwrap();
        assert_eq!((turn.stop, turn.text()), (Stop::Answered, expected));
    }
    let without_text = "the model has answered without a text";
    assert_eq!(warnings.take(), [without_text; 2]);
}

#[timed_test::test]
async fn few_tokens_for_a_history_or_a_window_are_a_warning() {
    let (warnings, _recording) = Warnings::record();
    let server = server().await;
    for tokens in [100, 1_000] {
        let chat = builder(&Scripted::new(), &server).history_tokens(tokens);
        chat.build().unwrap();
    }
    assert_eq!(warnings.take(), [few_tokens(100)]);
    for tokens in [128, 1_000] {
        let profile = ModelProfile::new(Provider::OPENAI_CHAT).with_context_window(tokens);
        let model = Scripted::new().with_profile(profile);
        builder(&model, &server).build().unwrap();
    }
    assert_eq!(warnings.take(), [small_window(128)]);
}

/// A model that notes milk, and then says so.
fn noting() -> Scripted {
    let call = [("add_note", json!({ "text": "Buy milk." }))];
    Scripted::new().calls(call).text("Noted.")
}

fn dropped_after(event: &str) -> String {
    format!(
        "a turn was cancelled, because its stream was dropped after `Event::{event}` and before `Event::Done`; keep the stream in a \
         variable and read all its events, as in `while let Some(event) = turn.next().await {{ match event? {{ ... }} }}`; to cancel \
         it, write `turn.chat().canceller().cancel()` first"
    )
}

#[timed_test::test]
async fn a_stream_that_its_reader_leaves_before_the_end_is_a_warning() {
    let (warnings, _recording) = Warnings::record();
    let server = server().await;
    // the pattern of the loop ends it at another event
    let mut chat = chat(&noting(), &server);
    let mut turn = chat.stream("Note milk.");
    while let Some(Ok(Event::Text(_))) = turn.next().await {}
    drop(turn);
    assert!(chat.history().is_empty());
    assert_eq!(warnings.take(), [dropped_after("CallDelta")]);
    // each round begins a turn of its own
    let model = Scripted::new().text("Hello.").text("Hello.");
    let mut chat = crate::support::chat(&model, &server);
    for _ in 0..2 {
        let event = chat.stream("Hello?").next().await;
        assert!(matches!(event, Some(Ok(Event::Text(_)))));
    }
    assert_eq!(
        warnings.take(),
        [dropped_after("Text"), dropped_after("Text")]
    );
}

#[timed_test::test]
async fn a_turn_that_has_ended_or_is_cancelled_on_purpose_is_no_warning() {
    let (warnings, _recording) = Warnings::record();
    let server = server().await;
    // read to the end, and up to the whole answer
    let model = noting()
        .text("Hello.")
        .text("Hello.")
        .text("Hello.")
        .text("Hello.");
    let mut chat = chat(&model, &server);
    let mut turn = chat.stream("Note milk.");
    while turn.next().await.is_some() {}
    drop(turn);
    let mut turn = chat.stream("Hello?");
    while let Some(Ok(Event::Text(_))) = turn.next().await {}
    drop(turn);
    assert_eq!(chat.history().len(), 6);
    // cancelled through the canceller, ended by `into_chat`, and never read
    let mut turn = chat.stream("Hello?");
    turn.next().await;
    turn.chat().canceller().cancel();
    drop(turn);
    let mut turn = chat.into_stream("Hello?");
    turn.next().await;
    let mut chat = turn.into_chat();
    drop(chat.stream("Hello?"));
    // a client of a web server is gone
    let mut turn = chat.into_stream("Hello?");
    turn.next().await;
    drop(turn.give_back(drop));
    // a program that makes one step after the other
    let mut turn = crate::support::chat(&noting(), &server).into_stream("Note milk.");
    while !matches!(turn.next().await, Some(Ok(Event::StepEnd(_)))) {}
    drop(turn);
    // a time limit around a stalled model
    let stalled = |model: Scripted| model.events([ModelEvent::Text("Hel".into())]).then_stall();
    let model = stalled(stalled(Scripted::new()));
    let mut chat = crate::support::chat(&model, &server);
    let time = Duration::from_millis(1);
    tokio::time::timeout(time, chat.send("Hello?"))
        .await
        .unwrap_err();
    let mut turn = chat.stream("Hello?");
    turn.next().await;
    tokio::time::timeout(time, turn.next()).await.unwrap_err();
    drop(turn);
    // a failed turn
    let mut turn = chat.stream("");
    assert!(matches!(turn.next().await, Some(Err(ChatError::Empty))));
    drop(turn);
    assert_eq!(warnings.take(), [""; 0]);
}

#[timed_test::test]
async fn a_turn_that_a_limit_of_tokens_ends_is_a_warning() {
    let (warnings, _recording) = Warnings::record();
    let server = server().await;
    let cut = |text: &str| {
        Scripted::new().events([
            ModelEvent::Text(text.to_owned()),
            ModelEvent::Usage(Usage::new(10, 16)),
            ModelEvent::Finish(Finish::Truncated),
        ])
    };
    let of_turn = "the limit of tokens of all requests and completions of the turn is reached; raise `Limits::tokens`, and write \
                   `RequestOptions::max_tokens` to limit the length of an answer";
    let of_completion =
        "the limit of tokens of a completion is reached; raise `RequestOptions::max_tokens`";
    let few = Limits::default().tokens(1);
    let mut chat = builder(&noting(), &server).limits(few).build().unwrap();
    let turn = chat.send("Note milk.").await.unwrap();
    assert_eq!((turn.stop, turn.text()), (Stop::Tokens, ""));
    let expected = format!("the turn has ended without an answer: {of_turn}");
    assert_eq!(warnings.take(), [expected]);
    let turn = crate::support::chat(&cut("Buy mil"), &server)
        .send("Plan my day.")
        .await;
    assert_eq!(turn.unwrap().stop, Stop::Truncated);
    let expected = format!("the answer was cut off: {of_completion}");
    assert_eq!(warnings.take(), [expected]);

    // a typed answer is an error with the same words
    for (model, reason) in [(noting(), of_turn), (cut("{\"steps\":["), of_completion)] {
        let chat = builder(&model, &server).limits(few);
        let error = chat
            .build()
            .unwrap()
            .ask::<u8>("How many?")
            .await
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("the turn ended without an answer: {reason}")
        );
    }
    // a program may take one step after the other
    let steps = Limits::default().steps(1);
    let mut chat = builder(&noting(), &server).limits(steps).build().unwrap();
    assert_eq!(chat.send("Note milk.").await.unwrap().stop, Stop::Steps);
    assert_eq!(chat.resume().await.unwrap().text(), "Noted.");
    assert_eq!(warnings.take(), [""; 0]);
}
