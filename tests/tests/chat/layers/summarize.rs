//! Summaries that a model writes.

use super::*;
use crate::long::{say, turns};
use serde_json::json;
use skill_agent::chat::{Budget, Message, ModelError, Redact, Summarize, Usage};

/// A chat that has said much, with a limit of 1000 tokens.
async fn chat_with(model: &Scripted, summarize: Summarize) -> Chat {
    let server = server().await;
    let history = (0..8).flat_map(|turn| {
        let question = format!("Question {turn}. {}", "a".repeat(600));
        [
            Message::user(question),
            Message::assistant(format!("Answer {turn}.")),
        ]
    });
    let chat = builder(model, &server).history(history.collect());
    let chat = chat.history_tokens(1_000).compactor(summarize);
    chat.build().unwrap()
}

const BEGIN: &str = "Summary of the conversation so far:\n";

#[timed_test::test]
async fn the_oldest_turns_become_a_summary_and_the_latest_stay() {
    for streams in [true, false] {
        let small = said(Scripted::new(), "They asked for much.", streams);
        let model = Scripted::new().text("Hello.").text("Hello.");
        let mut chat = chat_with(&model, Summarize::new(small.clone())).await;
        chat.send("And now?").await.unwrap();
        chat.send("And then?").await.unwrap();
        let sent = sent(&model);
        assert_eq!(sent[0][0], format!("{BEGIN}They asked for much."));
        assert!(sent[0][1].starts_with("Question 7."), "{:?}", sent[0]);
        assert_eq!(sent[0][3], "And now?");
        // the same summary, which the provider can cache
        assert_eq!(sent[1][..4], sent[0]);
        assert_eq!(small.requests().len(), 1);
        assert_eq!(chat.history().len(), 20);
    }
}

#[timed_test::test]
async fn the_request_for_a_summary_has_a_bound() {
    let small = Scripted::new().text("b".repeat(10_000));
    let model = Scripted::new().text("Hello.");
    let mut chat = chat_with(&model, Summarize::new(small.clone()).tokens(400)).await;
    chat.send("And now?").await.unwrap();
    let request = &small.requests()[0];
    let text = request.messages[0].text();
    let most = request.options.max_tokens.unwrap() as usize;
    assert!(text.len() / 4 + most <= 410, "{} and {most}", text.len());
    assert!(text.contains("User: Question 0.") && text.contains("[…]"));
    assert!(text.ends_with("Assistant: Answer 6."), "{text}");
    // a summary that is too long is cut
    assert!(sent(&model)[0][0].len() <= (most + 20) * 4);
    assert!(request.tools.is_empty());
}

#[timed_test::test]
async fn a_summary_that_fails_leaves_the_oldest_turns_out() {
    tokio::time::pause();
    let failed = ModelError::Transport("reset".into());
    let models = [
        Scripted::new().error(failed),
        Scripted::new().text(" "),
        Scripted::new().events([]).then_stall(),
        Scripted::new().events([]).then_panic(),
        Scripted::new(),
    ];
    for small in models {
        let model = Scripted::new().text("Hello.");
        let mut chat = chat_with(&model, Summarize::new(small.clone())).await;
        chat.send("And now?").await.unwrap();
        assert_eq!(small.requests().len(), 1);
        let first = &sent(&model)[0][0];
        assert!(first.starts_with("Question"), "{first}");
    }
}

#[timed_test::test]
async fn a_budget_bounds_all_summaries() {
    let small = (0..9).fold(Scripted::new(), |model, _| {
        model.text("Much.").usage(Usage::new(90, 10))
    });
    let budget = Budget::tokens(200);
    let summarize = Summarize::new(small.clone()).layer(budget.clone());
    let agent = server().await;
    let model = turns(30);
    let chat = builder(&model, &agent)
        .history_tokens(500)
        .compactor(summarize);
    say(&mut chat.build().unwrap(), 30).await;
    assert_eq!((small.requests().len(), budget.used().total()), (2, 200));
}

#[timed_test::test]
async fn a_redacted_summary_sends_no_pattern() {
    let small = Scripted::new().text("Much.");
    let redact = Redact::new(["Question"]).by("***");
    let model = Scripted::new().text("Hello.");
    let mut chat = chat_with(&model, Summarize::new(small.clone()).layer(redact)).await;
    chat.send("And now?").await.unwrap();
    let text = small.requests()[0].messages[0].text();
    assert!(!text.contains("Question") && text.contains("*** 0."));
}

/// Reports about another library say that its summaries leave results without their calls behind.
#[timed_test::test]
async fn calls_and_their_results_stay_together() {
    let agent = server().await;
    let turn = |model: Scripted, n| {
        let call = (
            "add_note",
            json!({ "text": format!("{n}{}", "b".repeat(300)) }),
        );
        let model = model.calls([call.clone(), call]);
        model
            .calls([("list_notes", json!({}))])
            .text(format!("Noted {n}."))
    };
    let model = (0..12).fold(Scripted::new(), turn);
    let small = (0..40).fold(Scripted::new(), |small, _| small.text("They noted much."));
    for tokens in [400, 1_500, 4_000] {
        let model = model.clone();
        let chat = builder(&model, &agent).history_tokens(tokens);
        let mut chat = chat
            .compactor(Summarize::new(small.clone()))
            .build()
            .unwrap();
        for n in 0..4 {
            chat.send(format!("Note {n}.")).await.unwrap();
        }
        for request in model.requests() {
            assert_whole(&request.messages);
        }
        assert_whole(chat.history());
    }
    assert!(!small.requests().is_empty());
}

/// Another report: without a user's message among the latest ones, its model is never asked.
#[timed_test::test]
async fn one_turn_that_is_too_long_is_summarized_too() {
    let small = Scripted::new().text("They asked for much.");
    let model = Scripted::new().text("Hello.");
    let long = Message::user("a".repeat(8_000));
    let chat = builder(&model, &server().await).history(vec![long, Message::assistant("Yes.")]);
    let chat = chat
        .history_tokens(1_000)
        .compactor(Summarize::new(small.clone()));
    chat.build().unwrap().send("And now?").await.unwrap();
    assert_eq!(
        sent(&model)[0],
        [
            format!("{BEGIN}They asked for much."),
            "And now?".to_owned()
        ]
    );
}
