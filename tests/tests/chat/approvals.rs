//! Calls that wait for approval, as a part of the history.

use crate::support::*;
use serde_json::json;
use skill_agent::chat::{Chat, ChatError, Message, Scripted, Stop};
use skill_agent::prelude::*;
use skill_agent::server::{ApprovalRequest, Attempt, Decision, Verdict};
use skill_agent::toolbox::Toolbox;

/// A server whose approver decides later, with some notes.
async fn deferring() -> AgentServer<Assistant> {
    let (gate, _) = gate();
    let builder = AgentServer::builder(Assistant::new()).resources(Gates { gate });
    let builder = builder.approver(|_: ApprovalRequest| async { Verdict::Later });
    let server = builder.start().await.unwrap();
    for text in ["Buy milk.", "Buy bread.", "Call Ann."] {
        let text = text.to_owned();
        server.call(AddNote { text, times: 1 }).await.unwrap();
    }
    server
}

fn removing(texts: &[&str]) -> Scripted {
    let calls = texts.iter();
    Scripted::new().calls(calls.map(|text| ("remove_note", json!({ "text": text }))))
}

#[timed_test::test]
async fn two_calls_of_one_tool_in_one_completion_have_two_verdicts() {
    let server = deferring().await;
    let model = removing(&["Buy milk.", "Buy bread."]).text("One of them.");
    let mut chat = chat(&model, &server);
    assert_eq!(
        events(chat.stream("Remove both.")).await[4..],
        [
            "approval remove_note",
            "calling remove_note",
            "called remove_note",
            "approval remove_note",
            "step 1 with 3 messages",
            "done Approval",
        ]
    );
    let pending = chat.pending();
    let ids: Vec<&str> = pending.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids, ["call_1_1_0", "call_1_1_1"]);
    assert_eq!(pending[1].request.arguments["text"], "Buy bread.");

    let turn = chat
        .decide(ids[1], Verdict::Deny("it is needed".into()))
        .await;
    let turn = turn.unwrap();
    assert_eq!((turn.stop, turn.pending.len()), (Stop::Approval, 1));
    assert_eq!(turn.pending[0].id, ids[0]);
    assert_eq!(model.requests().len(), 1); // the model waits for both
    let turn = chat.decide(ids[0], true).await.unwrap();
    assert_eq!((turn.text(), turn.stop), ("One of them.", Stop::Answered));
    assert_eq!(lines(&server).await, ["Buy bread.", "Call Ann."]);

    let sent: Vec<_> = model.requests()[1].messages[2]
        .results()
        .map(|result| (result.is_error(), result.text().into_owned()))
        .collect();
    assert_eq!(sent[0], (false, "2".to_owned()));
    assert!(sent[1].0 && sent[1].1.contains("it is needed"), "{sent:?}");
    assert_whole(chat.history());
}

#[timed_test::test]
async fn every_verdict_can_be_given_later() {
    for (verdict, stop, result, left) in [
        (Verdict::Approve, Stop::Answered, "2", 2),
        (
            Verdict::ApproveWith(json!({ "text": "nothing" })),
            Stop::Answered,
            "3",
            3,
        ),
        (
            Verdict::Deny("no".into()),
            Stop::Answered,
            "error: `remove_note` was denied: no",
            3,
        ),
        (
            Verdict::Abort("stop".into()),
            Stop::Aborted,
            "error: `remove_note` was denied, and its caller should stop: stop",
            3,
        ),
        (
            Verdict::Later,
            Stop::Approval,
            "error: `remove_note` waits for approval",
            3,
        ),
    ] {
        let server = deferring().await;
        let model = removing(&["Buy milk."]).text("As you like.");
        let mut chat = chat(&model, &server);
        let id = chat.send("Remove it.").await.unwrap().pending[0].id.clone();
        let turn = chat.decide(&id, verdict.clone()).await.unwrap();
        assert_eq!(turn.stop, stop, "{verdict:?}");
        assert_eq!(results(&turn), [result], "{verdict:?}");
        assert_eq!(lines(&server).await.len(), left, "{verdict:?}");
        assert_whole(chat.history());
        // a verdict that only deferred it again can be followed by another one
        if stop == Stop::Approval {
            assert_eq!(chat.resume().await.unwrap().stop, Stop::Approval);
            let turn = chat.decide(&id, true).await.unwrap();
            assert_eq!(turn.text(), "As you like.");
        }
    }
}

/// Two calls of one completion have results in each other's place, so that a verdict on one would run the other.
#[timed_test::test]
async fn requests_that_were_swapped_are_refused() {
    let server = deferring().await;
    let model = removing(&["Buy milk.", "Buy bread."]);
    let mut first = chat(&model, &server);
    first.send("Remove both.").await.unwrap();
    let mut history = serde_json::to_value(first.history()).unwrap();
    let parts = &mut history[2]["parts"];
    let (one, other) = (parts[0]["result"].take(), parts[1]["result"].take());
    (parts[0]["result"], parts[1]["result"]) = (other, one);
    let history = serde_json::from_value(history).unwrap();
    let mut swapped = builder(&model, &server).history(history).build().unwrap();
    let refused = reason(swapped.decide("call_1_1_0", true).await);
    assert_eq!(refused, "its message was changed since it was asked for");
    assert_eq!(lines(&server).await.len(), 3);
}

#[timed_test::test]
async fn a_message_drops_no_call_that_waits_for_approval() {
    let server = deferring().await;
    let model = removing(&["Buy milk.", "Buy bread."]).text("As you like.");
    let mut chat = chat(&model, &server);
    chat.send("Remove both.").await.unwrap();
    let before = stored(chat.history());
    for error in [
        chat.send("And call Ann.").await.unwrap_err(),
        chat.ask::<u32>("How many?").await.unwrap_err(),
    ] {
        assert_eq!(
            error.to_string(),
            "the calls `call_1_1_0` of `remove_note`, `call_1_1_1` of `remove_note` wait for approval; decide on each with `decide`, or give them up with `withdraw` of a `Chat`"
        );
        assert!(matches!(error, ChatError::Pending(calls) if calls.len() == 2));
    }
    assert_eq!((chat.history(), model.requests().len()), (&before[..], 1));

    let withdrawn: Vec<_> = chat.withdraw().into_iter().map(|call| call.id).collect();
    assert_eq!(withdrawn, ["call_1_1_0", "call_1_1_1"]);
    assert!(chat.withdraw().is_empty() && chat.pending().is_empty());
    let refused = reason(chat.decide("call_1_1_0", true).await);
    assert_eq!(refused, "no call with this id waits for approval");
    chat.send("And call Ann.").await.unwrap();
    let sent = &model.requests()[1].messages;
    let results: Vec<_> = sent[2].results().map(|result| result.text()).collect();
    assert_eq!(
        results[0],
        "`remove_note` was denied: the conversation went on without a decision on it"
    );
    assert_eq!(sent[3].text(), "And call Ann.");
    assert_eq!(lines(&server).await.len(), 3);
    assert_whole(chat.history());
}

/// Otherwise a request that nothing can decide any more would end the conversation.
#[timed_test::test]
async fn a_call_that_cannot_be_decided_can_be_withdrawn() {
    let model = removing(&["Buy milk."]).text("As you like.");
    let mut first = chat(&model, &deferring().await);
    let id = first.send("Remove it.").await.unwrap().pending[0]
        .id
        .clone();
    // its server is gone with its secret
    let other = builder(&model, &deferring().await).history(stored(first.history()));
    let mut other = other.build().unwrap();
    assert!(reason(other.decide(&id, false).await).contains("with another secret"));
    let error = other.send("Never mind.").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the call `call_1_1_0` of `remove_note` waits for approval; decide on each with `decide`, or give them up with `withdraw` of a `Chat`"
    );
    assert_eq!(other.withdraw().len(), 1);
    assert_eq!(other.resume().await.unwrap().text(), "As you like.");
}

#[timed_test::test]
async fn a_rule_holds_beside_a_guard_that_allows_everything() {
    let (gate, _) = gate();
    let builder = AgentServer::builder(Assistant::new()).resources(Gates { gate });
    let builder = builder
        .guard(|_: &Attempt<'_>| Decision::Allow)
        .ask_when::<AddNote>(|note| note.text.contains("secret"))
        .deny_when::<AddNote>(|note| (note.times > 9).then(|| "too often".into()))
        .approver(|_: ApprovalRequest| async { Verdict::Later });
    let server = builder.start().await.unwrap();
    let model = Scripted::new().calls([
        ("add_note", json!({ "text": "Buy milk." })),
        ("add_note", json!({ "text": "A secret." })),
        ("add_note", json!({ "text": "Buy bread.", "times": 10 })),
        ("clear_notes", json!({})),
    ]);
    let turn = chat(&model, &server).send("Note them.").await.unwrap();
    assert_eq!(
        results(&turn),
        [
            "1",
            "error: `add_note` waits for approval",
            "error: `add_note` was denied: too often",
            "null"
        ]
    );
    assert_eq!((turn.stop, turn.pending.len()), (Stop::Approval, 1));
}

fn reason(error: Result<skill_agent::chat::Turn, ChatError>) -> String {
    match error.unwrap_err() {
        ChatError::Decision { reason, .. } => reason,
        other => panic!("{other:?}"),
    }
}

#[timed_test::test]
async fn a_verdict_on_a_changed_history_is_refused() {
    let server = deferring().await;
    let model = removing(&["Buy milk."]).text("As you like.");
    let mut first = chat(&model, &server);
    let id = first.send("Remove it.").await.unwrap().pending[0]
        .id
        .clone();
    let kept = stored(first.history());
    let changed = |from: &str, to: &str| {
        let text = serde_json::to_string(&kept).unwrap();
        assert!(text.contains(from), "{text}");
        let history = serde_json::from_str(&text.replace(from, to)).unwrap();
        Chat::builder(model.clone(), Toolbox::of(&server))
            .history(history)
            .build()
            .unwrap()
    };

    let refused = reason(first.decide("call_9_9_9", true).await);
    assert_eq!(refused, "no call with this id waits for approval");
    let of_request = first.pending()[0].request.id.to_string();
    let refused = reason(first.decide(&of_request, true).await);
    assert_eq!(
        refused,
        format!(
            "this is the id of the request; write the id of its call, `{id}`, which `chat.pending()` has as `id`"
        )
    );
    // the arguments of the call, as the model reads them
    let mut other = changed(
        r#"{\"text\":\"Buy milk.\"}"#,
        r#"{\"text\":\"Buy bread.\"}"#,
    );
    let refused = reason(other.decide(&id, true).await);
    assert_eq!(refused, "its message was changed since it was asked for");
    // the arguments in the request, as they would run
    let mut other = changed(r#""text":"Buy milk.""#, r#""text":"Buy bread.""#);
    let refused = reason(other.decide(&id, true).await);
    assert!(refused.contains("changed"), "{refused}");
    assert_eq!(lines(&server).await.len(), 3);

    // what was refused has changed nothing, and a history that a program has continued is refused as well
    assert_eq!(first.history(), kept);
    let mut longer = kept.clone();
    longer.push(Message::from("Never mind."));
    let mut longer = builder(&model, &server).history(longer).build().unwrap();
    let refused = reason(longer.decide(&id, true).await);
    assert_eq!(
        refused,
        "the conversation has gone on since it was asked for"
    );
    assert_eq!(lines(&server).await.len(), 3);

    // in its own place it is decided once
    let model = Scripted::new().text("Gone.");
    let mut other = builder(&model, &server).history(kept).build().unwrap();
    assert_eq!(other.decide(&id, true).await.unwrap().text(), "Gone.");
    let refused = reason(other.decide(&id, true).await);
    assert_eq!(refused, "no call with this id waits for approval");
    assert_eq!(lines(&server).await.len(), 2);
}

#[timed_test::test]
async fn an_aborted_call_ends_the_turn_after_the_calls_that_run() {
    let (gate, mut begun) = gate();
    let builder = AgentServer::builder(Assistant::new()).resources(Gates { gate: gate.clone() });
    let builder = builder.approver(|_: ApprovalRequest| async { Verdict::Abort("stop".into()) });
    let server = builder.start().await.unwrap();
    let model = Scripted::new().calls([
        ("send_slowly", json!({ "name": "s1" })),
        ("clear_notes", json!({})),
        ("add_note", json!({ "text": "Later." })),
        ("send_slowly", json!({ "name": "s2" })),
    ]);
    let mut chat = chat(&model, &server);
    let turn = tokio::spawn(async move {
        let turn = chat.send("Clear them.").await.unwrap();
        (turn, chat)
    });
    begun.recv().await.unwrap();
    gate.open("s1");
    let (turn, chat) = turn.await.unwrap();
    assert_eq!(turn.stop, Stop::Aborted);
    let results = results(&turn);
    assert_eq!(results[0], r#""s1""#);
    assert!(results[1].contains("its caller should stop: stop"));
    for result in &results[2..] {
        assert_eq!(
            result,
            "error: it was not run, because another call was aborted"
        );
    }
    assert_whole(chat.history());
}

#[timed_test::test]
async fn a_decided_call_that_is_interrupted_can_be_decided_again() {
    let (gate, mut begun) = gate();
    let resources = Gates { gate: gate.clone() };
    let builder = AgentServer::builder(Assistant::new()).resources(resources);
    let builder = builder
        .guard(|_: &Attempt<'_>| Decision::Ask)
        .approver(|_: ApprovalRequest| async { Verdict::Later });
    let server = builder.start().await.unwrap();
    let model = Scripted::new()
        .calls([("send_slowly", json!({ "name": "s1" }))])
        .text("Sent.");
    let mut chat = chat(&model, &server);
    let id = chat.send("Send it.").await.unwrap().pending[0].id.clone();
    let canceller = chat.canceller();
    let turn = tokio::spawn(ended(chat.into_stream_decide(&id, true)));
    begun.recv().await.unwrap();
    canceller.cancel();
    let (ended, mut chat) = turn.await.unwrap();
    assert_eq!((ended.stop, chat.pending().len()), (Stop::Cancelled, 1));
    // the cancelled action may still take the first of them in its grace period
    gate.open("s1");
    gate.open("s1");
    assert_eq!(chat.decide(&id, true).await.unwrap().text(), "Sent.");
}

/// The second server has only the secret and the stored history, as in another process.
#[timed_test::test]
async fn a_call_can_be_decided_after_a_restart() {
    let start = async |secret: &str| {
        let (gate, _) = gate();
        let builder = AgentServer::builder(Assistant::new()).resources(Gates { gate });
        let builder = builder.approval_secret(secret.as_bytes().to_vec());
        let builder = builder.approver(|_: ApprovalRequest| async { Verdict::Later });
        let server = builder.start().await.unwrap();
        let (text, times) = ("Buy milk.".to_owned(), 1);
        server.call(AddNote { text, times }).await.unwrap();
        server
    };
    let before = start("the secret of all processes").await;
    let model = removing(&["Buy milk."]).text("Removed.");
    let mut first = chat(&model, &before);
    let id = first.send("Remove it.").await.unwrap().pending[0]
        .id
        .clone();
    let kept = stored(first.history());
    drop(first);
    before.stop().await.unwrap();

    let other = start("the secret of somebody else").await;
    let chat = builder(&model, &other).history(kept.clone()).build();
    let refused = reason(chat.unwrap().decide(&id, true).await);
    assert!(refused.contains("with another secret"), "{refused}");
    assert_eq!(lines(&other).await.len(), 1);

    let after = start("the secret of all processes").await;
    let chat = builder(&model, &after).history(kept).build();
    let turn = chat.unwrap().decide(&id, true).await.unwrap();
    assert_eq!((turn.text(), lines(&after).await.len()), ("Removed.", 0));
}
