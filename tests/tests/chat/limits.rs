//! The limits of a turn, and its cancellation.

use crate::support::*;
use serde_json::{Value, json};
use skill_agent::chat::{Event, Limits, ModelEvent, Scripted, Stop, Usage};
use skill_agent::models::Finish;
use std::time::Duration;

fn counting(times: usize) -> Scripted {
    (0..times).fold(Scripted::new(), |model, n| {
        model.calls([("add_note", json!({ "text": n.to_string() }))])
    })
}

#[timed_test::test]
async fn each_limit_ends_a_turn_that_resume_goes_on_with() {
    for (limits, stop, steps) in [
        (Limits::default().steps(2), Stop::Steps, 2),
        (Limits::default().tokens(1), Stop::Tokens, 1),
    ] {
        let server = server().await;
        let model = counting(5).text("Done.");
        let chat = builder(&model, &server).limits(limits).build();
        let mut chat = chat.unwrap();
        let turn = chat.send("Count.").await.unwrap();
        assert_eq!((turn.stop, turn.steps), (stop, steps));
        assert_whole(chat.history());
        let turn = chat.resume().await.unwrap();
        assert_eq!((turn.stop, turn.steps), (stop, steps)); // fresh limits
        assert_eq!(chat.history().len(), 1 + 4 * steps);
    }
}

#[timed_test::test]
async fn tokens_are_those_of_the_provider_or_an_estimate() {
    let server = server().await;
    let limits = Limits::default().tokens(1_000);
    let text = "a".repeat(2_000); // about 500 tokens, and again in the history
    let model = Scripted::new()
        .calls([("add_note", json!({ "text": text }))])
        .calls([("add_note", json!({ "text": text + "b" }))])
        .text("Done.");
    let mut estimated = builder(&model, &server).limits(limits).build().unwrap();
    let turn = estimated.send("Count.").await.unwrap();
    assert_eq!((turn.stop, turn.steps), (Stop::Tokens, 2));
    assert_eq!(turn.usage, Usage::default()); // nothing is made up

    let model = counting(1).usage(Usage::new(990, 9)).text("Done.");
    let mut counted = builder(&model, &server).limits(limits).build().unwrap();
    assert_eq!(counted.send("Count.").await.unwrap().stop, Stop::Answered);
}

/// Earlier turns that were left out of the requests count no more than they did.
#[timed_test::test]
async fn an_estimate_counts_the_messages_that_were_sent() {
    let server = server().await;
    let long = "a".repeat(4_000);
    let model = Scripted::new().text(long.as_str());
    let model = model.calls([("list_notes", json!({}))]).text("Done.");
    let limits = Limits::default().tokens(500);
    let chat = builder(&model, &server).limits(limits).history_tokens(100);
    let mut chat = chat.build().unwrap();
    chat.send("Tell me.").await.unwrap();
    let turn = chat.send("Again.").await.unwrap();
    assert_eq!((turn.stop, turn.steps), (Stop::Answered, 2));
    assert_eq!(model.requests()[1].messages.len(), 1);
}

#[timed_test::test]
async fn attempts_that_fail_count() {
    tokio::time::pause();
    let server = server().await;
    let cut_off = |model: Scripted| model.events([ModelEvent::Text("Let".into())]);
    let model = cut_off(Scripted::new()).usage(Usage::new(20, 3)); // no `Finish`
    let model = model.calls([("list_notes", json!({}))]);
    let model = model.usage(Usage::new(20, 5));
    let limits = Limits::default().tokens(48);
    let mut chat = builder(&model, &server).limits(limits).build().unwrap();
    let mut turn = chat.stream("Count.");
    let (mut of_step, mut of_turn) = (None, None);
    while let Some(event) = turn.next().await {
        match event.unwrap() {
            Event::StepEnd(end) => of_step = Some((end.step, end.usage)),
            Event::Done(turn) => of_turn = Some((turn.stop, turn.steps, turn.usage)),
            _ => {}
        }
    }
    assert_eq!(of_step, Some((1, Usage::new(40, 8))));
    assert_eq!(of_turn, Some((Stop::Tokens, 1, Usage::new(40, 8))));

    // of an interrupted one, what came last counts
    let counted = |output| ModelEvent::Usage(Usage::new(20, output));
    let model = cut_off(Scripted::new()).usage(Usage::new(20, 3));
    let model = model.events([counted(1), counted(7)]).then_stall();
    let limits = Limits::default().time(Duration::from_secs(60));
    let chat = builder(&model, &server).limits(limits).build();
    let turn = chat.unwrap().send("Count.").await.unwrap();
    assert_eq!((turn.stop, turn.usage), (Stop::Time, Usage::new(40, 10)));
}

#[timed_test::test]
async fn the_third_identical_call_in_a_row_is_not_run() {
    let server = server().await;
    let same = |arguments: &str| [raw("add_note", arguments)];
    let model = Scripted::new()
        .raw_calls(same(r#"{"text": "A", "times": 1}"#))
        .raw_calls(same(r#"{"times":1,"text":"A"}"#)) // the same in other words
        .raw_calls(same(r#"{"text": "A", "times": 1}"#))
        .text("Done.");
    let mut first = chat(&model, &server);
    let turn = first.send("Count.").await.unwrap();
    assert_eq!((turn.stop, turn.steps), (Stop::Repeated, 3));
    let results = results(&turn);
    assert_eq!(results[..2], ["1", "2"]);
    assert_eq!(
        results[2],
        "error: it was not run: the same call was made several times in a row"
    );
    assert_whole(first.history());
    assert_eq!(first.resume().await.unwrap().text(), "Done.");

    // in one completion, and not in a row
    let (a, b) = (json!({ "text": "A" }), json!({ "text": "B" }));
    for (calls, stop) in [
        (vec![&a, &a, &b, &a, &a], Stop::Answered),
        (vec![&a, &a, &a], Stop::Repeated),
    ] {
        let calls = calls
            .into_iter()
            .map(|call: &Value| ("add_note", call.clone()));
        let model = Scripted::new().calls(calls).text("Done.");
        let turn = chat(&model, &server).send("Count.").await.unwrap();
        assert_eq!(turn.stop, stop);
    }
}

#[timed_test::test]
async fn the_limit_of_time_ends_a_request_and_the_calls_that_run() {
    tokio::time::pause();
    let limits = Limits::default().time(Duration::from_secs(60));
    let server = server().await;
    let model = counting(1).events([ModelEvent::Text("Let me".into())]);
    let model = model.then_stall().text("Done.");
    let mut waiting = builder(&model, &server).limits(limits).build().unwrap();
    let turn = waiting.send("Count.").await.unwrap();
    assert_eq!((turn.stop, turn.steps), (Stop::Time, 1));
    assert_eq!(waiting.history().len(), 3);
    assert_eq!(waiting.resume().await.unwrap().text(), "Done.");

    let model = Scripted::new().calls([
        ("send_slowly", json!({ "name": "s1" })),
        ("send_slowly", json!({ "name": "s2" })),
        ("add_note", json!({ "text": "A" })),
    ]);
    let mut calling = builder(&model, &server).limits(limits).build().unwrap();
    let turn = calling.send("Send.").await.unwrap();
    assert_eq!(turn.stop, Stop::Time);
    let results = results(&turn);
    assert!(results[0].contains("it was interrupted, because the limit of time is reached"));
    assert!(results[1].contains("it was not run, because the limit of time is reached"));
    assert_eq!(results[2], "2"); // it had ended before
    assert_whole(calling.history());
}

#[timed_test::test]
async fn a_turn_can_be_cancelled_while_the_model_writes_and_while_calls_run() {
    let (server, gate, mut begun) = gated().await;
    let model = Scripted::new()
        .events([ModelEvent::Text("Let".into())])
        .then_stall()
        .calls([("send_slowly", json!({ "name": "s1" }))])
        .text("Done.");
    let mut chat = chat(&model, &server);
    let canceller = chat.canceller();
    canceller.cancel(); // nothing runs yet
    let mut turn = chat.stream("Go.");
    assert!(matches!(turn.next().await, Some(Ok(Event::Text(_)))));
    canceller.cancel();
    assert_eq!(turn.finish().await.unwrap().stop, Stop::Cancelled);
    assert!(chat.history().is_empty());

    let turn = tokio::spawn(async move {
        let turn = chat.send("Go.").await.unwrap();
        (turn, chat)
    });
    begun.recv().await.unwrap();
    canceller.cancel();
    let (turn, mut chat) = turn.await.unwrap();
    assert_eq!(turn.stop, Stop::Cancelled);
    assert!(results(&turn)[0].contains("it was interrupted, because the turn was cancelled"));
    assert_whole(chat.history());
    gate.open("s1");
    assert_eq!(chat.resume().await.unwrap().text(), "Done.");
}

#[timed_test::test]
async fn calls_that_were_cut_off_are_not_run_and_the_model_sends_less() {
    use skill_agent::chat::{CallPart, KeptItem};
    let server = server().await;
    let whole = CallPart::new(raw("add_note", r#"{"text":"A"}"#));
    let item = KeptItem::new("anthropic", r#"{"type":"tool_use"}"#);
    let cut = CallPart::new(raw("add_note", r#"{"text":"B"#)).with_item(item);
    let model = Scripted::new()
        .events([
            ModelEvent::Part(whole.into()),
            ModelEvent::Part(cut.into()),
            ModelEvent::Finish(Finish::Truncated),
        ])
        .text("Sorry.");
    let mut chat = chat(&model, &server);
    let turn = chat.send("Go.").await.unwrap();
    assert_eq!((turn.text(), turn.stop), ("Sorry.", Stop::Answered));
    assert!(lines(&server).await.is_empty());
    let results = results(&turn);
    assert!(
        results.iter().all(|result| result.contains("send less")),
        "{results:?}"
    );
    // what goes back to the provider is JSON
    let request = &model.requests()[1];
    let sent: Vec<_> = request.messages[1].calls().collect();
    assert_eq!(sent[0].call.arguments, r#"{"text":"A"}"#);
    assert_eq!(
        (sent[1].call.arguments.as_str(), &sent[1].item),
        ("{}", &None)
    );
}
