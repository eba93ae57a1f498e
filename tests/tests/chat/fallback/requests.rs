//! Requests to the models of a chain, and the history afterwards.

use super::*;
use serde_json::json;
use skill_agent::chat::{Event, Fallback, ModelEvent, RequestOptions, Usage};

fn with(profile: ModelProfile, model: Scripted) -> Scripted {
    model.with_profile(profile)
}

#[timed_test::test]
async fn options_of_one_model_are_sent_to_it_alone() {
    let server = server().await;
    let (first, second) = (failing([CUT_OFF]), greeting());
    let own = RequestOptions::new()
        .temperature(0.1)
        .extra("effort", "low");
    let models = Fallback::new(first.clone())
        .options(own)
        .then(second.clone());
    let all = RequestOptions::new()
        .temperature(0.9)
        .max_tokens(5)
        .extra("seed", 7);
    let mut chat = builder_of(models, &server)
        .options(all.clone())
        .build()
        .unwrap();
    chat.send("Hi.").await.unwrap();
    let merged = all.clone().temperature(0.1).extra("effort", "low");
    assert_eq!(first.requests()[0].options, merged);
    assert_eq!(second.requests()[0].options, all);
}

#[timed_test::test]
async fn a_model_without_parallel_calls_is_asked_for_one_at_a_time() {
    let server = server().await;
    let one = profile(Provider::OPENAI_CHAT).with_parallel_calls(false);
    let (first, second) = (with(one, failing([CUT_OFF])), greeting());
    let mut chat = chat_of(Fallback::new(first.clone()).then(second.clone()), &server);
    chat.send("Hi.").await.unwrap();
    let parallel = |model: &Scripted| model.requests()[0].parallel_calls;
    assert_eq!((parallel(&first), parallel(&second)), (Some(false), None));
}

#[timed_test::test]
async fn reasoning_and_calls_as_text_are_read_as_the_answering_model_writes_them() {
    let server = server().await;
    let local = profile(Provider::OPENAI_COMPATIBLE)
        .with_think_tags(true)
        .with_text_calls(true);
    let call = r#"{"name":"add_note","arguments":{"text":"a"}}"#;
    let second = with(
        local,
        Scripted::new().text(format!("<think>Hm.</think>{call}")),
    );
    let first = failing([CUT_OFF]).text("<think>is no tag here");
    let mut chat = chat_of(Fallback::new(first).then(second), &server);
    let turn = chat.send("Note a.").await.unwrap();
    assert_eq!(turn.text(), "<think>is no tag here");
    assert_eq!(lines(&server).await, ["a"]);
}

/// A strict schema requires every argument, so the model writes `null` for one that it leaves out.
#[timed_test::test]
async fn left_out_arguments_are_those_of_the_answering_model() {
    let server = server().await;
    let strict = profile(Provider::OPENAI_STRICT);
    let call = json!({ "text": "a", "times": null });
    let second = with(strict, Scripted::new().calls([("add_note", call)]));
    let first = failing([CUT_OFF]).text("Noted.");
    let chat = builder_of(Fallback::new(first).then(second), &server).lenient(false);
    chat.build().unwrap().send("Note a.").await.unwrap();
    assert_eq!(lines(&server).await, ["a"]);
}

#[timed_test::test]
async fn ids_of_calls_do_not_depend_on_the_model() {
    let server = server().await;
    let ids = |chat: &Chat| -> Vec<String> {
        let calls = chat.history().iter().flat_map(|message| message.calls());
        calls.map(|call| call.id.clone()).collect()
    };
    let note = || ("add_note", json!({ "text": "a" }));
    let list = || ("list_notes", json!({}));
    let one = Scripted::new()
        .calls([note()])
        .calls([list(), list()])
        .text("Done.");
    let mut alone = chat_of(one, &server);
    alone.send("Go.").await.unwrap();
    let first = Scripted::new().calls([note()]).error(CUT_OFF).text("Done.");
    let second = Scripted::new().calls([list(), list()]);
    let mut chat = chat_of(Fallback::new(first).then(second.clone()), &server);
    chat.send("Go.").await.unwrap();
    assert_eq!(ids(&chat), ids(&alone));
    assert_whole(chat.history());
    // the second model reads the steps of the first
    assert_eq!(second.requests()[0].messages.len(), 3);
}

#[timed_test::test]
async fn tokens_of_failed_models_count() {
    let server = server().await;
    let first = failing([CUT_OFF]).usage(Usage::new(10, 1));
    let second = Scripted::new().text("Hello.").usage(Usage::new(20, 2));
    let mut chat = chat_of(Fallback::new(first).then(second), &server);
    let turn = chat.send("Hi.").await.unwrap();
    assert_eq!(turn.usage, Usage::new(30, 3));
}

#[timed_test::test]
async fn a_switch_says_whether_the_cache_is_lost() {
    let server = server().await;
    let first = failing([CUT_OFF, CUT_OFF]).text("Hello.").error(CUT_OFF);
    let mut chat = chat_of(Fallback::new(first).then(greeting()), &server);
    let mut lost = Vec::new();
    for _ in 0..4 {
        let mut turn = chat.stream("Hi.");
        while let Some(event) = turn.next().await {
            if let Event::Switched(switched) = event.unwrap() {
                assert_eq!((switched.model, &switched.error), (1, &CUT_OFF));
                lost.push(switched.cache_lost);
            }
        }
    }
    // the second model answered before; then the first one did
    assert_eq!(lost, [true, false, true]);
}

#[timed_test::test]
async fn a_cancelled_turn_leaves_the_asked_model() {
    let server = server().await;
    let piece = ModelEvent::Text("Hel".into());
    let second = Scripted::new().events([piece]).then_stall();
    let mut chat = chat_of(Fallback::new(failing([CUT_OFF])).then(second), &server);
    let canceller = chat.canceller();
    let mut turn = chat.stream("Hi.");
    while !matches!(turn.next().await, Some(Ok(Event::Text(_)))) {}
    canceller.cancel();
    let turn = turn.finish().await.unwrap();
    assert_eq!(turn.stop, skill_agent::chat::Stop::Cancelled);
    assert!(chat.history().is_empty());
}
