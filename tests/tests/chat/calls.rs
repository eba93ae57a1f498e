//! The calls of one completion: which run at the same time, their order, and their failures.

use crate::support::*;
use serde_json::json;
use skill_agent::chat::{Event, ModelProfile, Scripted, Stop};
use skill_agent::models::Provider;

fn slow(calls: &[(&str, &str)]) -> Scripted {
    let calls = calls.iter();
    let calls = calls.map(|(tool, name)| (*tool, json!({ "name": name })));
    Scripted::new().calls(calls).text("Done.")
}

#[timed_test::test]
async fn calls_of_one_skill_are_in_order_and_those_of_others_or_that_read_are_not() {
    let (server, gate, mut begun) = gated().await;
    let model = slow(&[
        ("read_slowly", "r1"),
        ("read_slowly", "r2"),
        ("write_slowly", "w1"),
        ("send_slowly", "s1"),
        ("read_slowly", "r3"),
        ("send_slowly", "s2"),
    ]);
    let mut chat = chat(&model, &server);
    let turn = tokio::spawn(async move { chat.send("Go.").await.unwrap() });
    let mut next = async || begun.recv().await.unwrap();
    let mut first = [next().await, next().await, next().await];
    first.sort();
    assert_eq!(first, ["r1", "r2", "s1"]); // two that read, and one of another skill
    gate.open("s1");
    assert_eq!(next().await, "s2");
    gate.open("r2");
    gate.open("r1");
    assert_eq!(next().await, "w1"); // after all that read before it
    gate.open("w1");
    assert_eq!(next().await, "r3"); // it may see what `w1` has written
    gate.open("r3");
    gate.open("s2");
    let turn = turn.await.unwrap();
    let expected = ["r1", "r2", "w1", "s1", "r3", "s2"];
    let expected: Vec<String> = expected.iter().map(|name| format!("{name:?}")).collect();
    assert_eq!(results(&turn), expected);
}

#[timed_test::test]
async fn at_most_eight_calls_run_at_once() {
    let (server, gate, mut begun) = gated().await;
    let names: Vec<String> = (0..20).map(|n| format!("r{n}")).collect();
    let calls: Vec<_> = names
        .iter()
        .map(|name| ("read_slowly", name.as_str()))
        .collect();
    let mut chat = chat(&slow(&calls), &server);
    let turn = tokio::spawn(async move { chat.send("Go.").await.unwrap() });
    for n in 0..8 {
        assert_eq!(begun.recv().await.unwrap(), format!("r{n}"));
    }
    for n in 8..20 {
        // what could begin has begun before the server answers
        server.agent().await.unwrap();
        assert!(begun.try_recv().is_err());
        gate.open(&format!("r{}", n - 8));
        assert_eq!(begun.recv().await.unwrap(), format!("r{n}"));
    }
    for n in 12..20 {
        gate.open(&format!("r{n}"));
    }
    assert_eq!(results(&turn.await.unwrap()).len(), 20);
}

#[timed_test::test]
async fn events_come_as_calls_end_and_results_stand_in_the_order_of_the_calls() {
    let (server, gate, mut begun) = gated().await;
    let model = slow(&[("read_slowly", "r1"), ("read_slowly", "r2")]);
    let mut chat = chat(&model, &server);
    let mut called = Vec::new();
    let mut turn = chat.stream("Go.");
    while let Some(event) = turn.next().await {
        match event.unwrap() {
            Event::Calling(call) if call.call.arguments.contains("r2") => gate.open("r2"),
            Event::Called(call) => {
                called.push(call.result.unwrap().text().into_owned());
                gate.open("r1");
            }
            _ => {}
        }
    }
    begun.recv().await.unwrap();
    assert_eq!(called, [r#""r2""#, r#""r1""#]);
    let results = chat.history()[2].results();
    let results: Vec<_> = results.map(|result| result.text().into_owned()).collect();
    assert_eq!(results, [r#""r1""#, r#""r2""#]);
}

#[timed_test::test]
async fn a_panic_of_a_tool_is_an_error_that_the_model_reads() {
    let server = server().await;
    let model = Scripted::new()
        .calls([
            ("crash", json!({})),
            ("add_note", json!({ "text": "Still here." })),
        ])
        .text("It crashed.");
    let mut chat = chat(&model, &server);
    let turn = chat.send("Crash.").await.unwrap();
    let results = results(&turn);
    assert!(results[0].contains("panicked"), "{results:?}");
    assert_eq!((results[1].as_str(), turn.stop), ("1", Stop::Answered));
    assert!(
        model.requests()[1].messages[2]
            .results()
            .next()
            .unwrap()
            .is_error()
    );
}

#[timed_test::test]
async fn arguments_that_are_no_json_are_an_error_that_the_model_reads() {
    let server = server().await;
    let model = Scripted::new().raw_calls([
        raw("add_note", r#"{"text": "Buy"#),
        raw("add_note", r#"{"text": "Buy milk.", "text": "Buy bread."}"#),
        raw("add_note", r#"{"text": 7}"#),
        raw("list_notes", ""),
    ]);
    let mut chat = chat(&model.text("Sorry."), &server);
    let turn = chat.send("Go.").await.unwrap();
    let results = results(&turn);
    for (result, expected) in results.iter().zip(["not JSON", "`text`", "`text`", "[]"]) {
        assert!(result.contains(expected), "{expected}: {result}");
    }
    assert!(lines(&server).await.is_empty());
}

#[timed_test::test]
async fn the_nulls_of_strict_mode_are_left_out_before_a_call() {
    let server = server().await;
    let profile = ModelProfile::new(Provider::OPENAI_STRICT);
    let model = Scripted::new().with_profile(profile);
    let model = model.calls([("add_note", json!({ "text": "Buy milk.", "times": null }))]);
    let mut chat = chat(&model.text("Noted."), &server);
    let turn = chat.send("Go.").await.unwrap();
    assert_eq!(results(&turn), ["1"]);
}
