//! Compactors of a program, and how often they are asked: a summary may be made by a model.

use crate::long::{first_questions, say, turns};
use crate::support::*;
use serde_json::json;
use skill_agent::chat::{
    ChatBuilder, ChatRequest, Compactor, Event, Limits, Message, ModelError, Scripted,
};
use skill_agent::server::BoxFuture;
use std::sync::{Arc, Mutex};

/// A compactor that notes the messages and the tokens that it is asked for.
#[derive(Clone, Default)]
struct Summaries(Arc<Mutex<Vec<(usize, usize)>>>);

impl Summaries {
    fn asked(&self) -> Vec<(usize, usize)> {
        self.0.lock().unwrap().clone()
    }
}

impl Compactor for Summaries {
    fn compact<'a>(&'a self, earlier: &'a [Message], tokens: usize) -> BoxFuture<'a, Vec<Message>> {
        self.0.lock().unwrap().push((earlier.len(), tokens));
        Box::pin(async { vec!["A summary.".into()] })
    }
}

/// A chat that has said much, with a limit of 400 tokens.
async fn after_a_long_turn(model: &Scripted) -> (ChatBuilder, Summaries) {
    let summaries = Summaries::default();
    let history = vec!["a".repeat(2_000).into()];
    let chat = builder(model, &server().await).history(history);
    let chat = chat.history_tokens(400).compactor(summaries.clone());
    (chat, summaries)
}

fn texts(request: &ChatRequest) -> Vec<String> {
    request.messages.iter().map(Message::text).collect()
}

#[timed_test::test]
async fn a_turn_that_fails_after_a_step_keeps_the_summary() {
    let failed = ModelError::Request("a map".into());
    let model = Scripted::new().calls([("list_notes", json!({}))]);
    let model = model.error(failed).text("Done.");
    let (chat, summaries) = after_a_long_turn(&model).await;
    let mut chat = chat.build().unwrap();
    chat.send("Go.").await.unwrap_err();
    chat.send("Go on.").await.unwrap();
    assert_eq!(summaries.asked().len(), 1);
    let sent: Vec<Vec<String>> = model.requests().iter().map(texts).collect();
    assert_eq!(sent[0], ["A summary.", "Go."]);
    assert_eq!(sent[2], ["A summary.", "Go.", "", "", "Go on."]);
}

#[timed_test::test]
async fn a_turn_that_is_dropped_after_a_step_keeps_the_summary() {
    let model = Scripted::new().calls([("list_notes", json!({}))]);
    let model = model.then_stall().text("Done.");
    let (chat, summaries) = after_a_long_turn(&model).await;
    let mut chat = chat.build().unwrap();
    let mut turn = chat.stream("Go.");
    while !matches!(turn.next().await, Some(Ok(Event::StepEnd(_)))) {}
    drop(turn);
    chat.send("Go on.").await.unwrap();
    assert_eq!(summaries.asked().len(), 1);
}

/// The message that had no room is in no history.
#[timed_test::test]
async fn a_turn_without_a_step_leaves_no_summary() {
    let failed = || ModelError::Request("a map".into());
    let large = "b".repeat(4_000);
    let model = Scripted::new().text("Hi.").error(failed()).text("Done.");
    let chat = builder(&model, &server().await).history_tokens(400);
    let mut chat = chat.build().unwrap();
    chat.send("Hello.").await.unwrap();
    chat.send(large).await.unwrap_err();
    chat.send("Go on.").await.unwrap();
    assert_eq!(texts(&model.requests()[2]), ["Hello.", "Hi.", "Go on."]);
}

/// Neither does it hide a turn that goes on later.
#[timed_test::test]
async fn a_turn_that_is_resumed_after_another_one_failed_is_sent_whole() {
    let failed = ModelError::Request("a map".into());
    let model = Scripted::new().calls([("list_notes", json!({}))]);
    let model = model.error(failed).text("Done.");
    let limits = Limits::default().steps(1);
    let chat = builder(&model, &server().await).history_tokens(400);
    let mut chat = chat.limits(limits).build().unwrap();
    chat.send("Any notes?").await.unwrap();
    chat.send("b".repeat(4_000)).await.unwrap_err();
    assert_eq!(chat.resume().await.unwrap().text(), "Done.");
    assert_eq!(texts(&model.requests()[2]), ["Any notes?", "", ""]);
}

#[timed_test::test]
async fn a_turn_that_is_too_long_alone_asks_for_no_summary_of_the_summary_in_each_step() {
    let model = (0..6).fold(Scripted::new(), |model, n| {
        let text = format!("{n}{}", "b".repeat(400));
        model.calls([("add_note", json!({ "text": text }))])
    });
    let (chat, summaries) = after_a_long_turn(&model).await;
    let mut chat = chat.build().unwrap();
    chat.send("Go.").await.unwrap_err(); // the end of the script
    assert_eq!(model.requests().len(), 7);
    // the second one is asked for when no room is left for the first
    assert_eq!(summaries.asked(), [(1, 199), (1, 0)]);
}

/// A compactor that counts what it replaces.
struct Summary;

impl Compactor for Summary {
    fn compact<'a>(&'a self, earlier: &'a [Message], _: usize) -> BoxFuture<'a, Vec<Message>> {
        let text = format!("Summary of {} messages.", earlier.len());
        Box::pin(async { vec![text.into()] })
    }
}

/// One that keeps a call without its result.
struct Torn;

impl Compactor for Torn {
    fn compact<'a>(&'a self, earlier: &'a [Message], _: usize) -> BoxFuture<'a, Vec<Message>> {
        Box::pin(async { earlier[..2].to_vec() })
    }
}

struct Panics;

impl Compactor for Panics {
    fn compact<'a>(&'a self, _: &'a [Message], _: usize) -> BoxFuture<'a, Vec<Message>> {
        panic!("no summary")
    }
}

#[timed_test::test]
async fn a_program_may_replace_the_earlier_turns_by_a_summary() {
    let server = server().await;
    let model = turns(4);
    let chat = builder(&model, &server)
        .history_tokens(600)
        .compactor(Summary);
    let mut chat = chat.build().unwrap();
    say(&mut chat, 4).await;
    let summaries: Vec<String> = model
        .requests()
        .iter()
        .map(|request| request.messages[0].text())
        .filter(|text| text.starts_with("Summary"))
        .collect();
    assert_eq!(summaries[0], "Summary of 8 messages.");
    let last = model.requests().pop().unwrap();
    assert!(last.messages[0].text().starts_with("Summary"));
    assert!(last.messages.len() < chat.history().len());
}

#[timed_test::test]
async fn a_compactor_that_fails_or_tears_calls_from_results_is_replaced_by_the_cut() {
    for torn in [true, false] {
        let server = server().await;
        let model = turns(4);
        let chat = builder(&model, &server).history_tokens(400);
        let chat = if torn {
            chat.compactor(Torn)
        } else {
            chat.compactor(Panics)
        };
        let mut chat = chat.build().unwrap();
        say(&mut chat, 4).await;
        for request in model.requests() {
            assert_whole(&request.messages);
        }
        assert_eq!(first_questions(&model)[7], "03");
    }
}
