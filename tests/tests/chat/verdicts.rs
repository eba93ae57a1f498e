//! Verdicts whose call is dropped, interrupted or cannot be carried out, and the events that say what is in the history.

use crate::sources::{Disk, deferring};
use crate::support::*;
use serde_json::json;
use skill_agent::ToolBuf;
use skill_agent::chat::{Chat, ChatError, Event, Message, Scripted, Stop};
use skill_agent::prelude::*;
use skill_agent::server::{Applied, ApprovalRequest, Attempt, Decision, Verdict};
use skill_agent::toolbox::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolError, ToolOutput, ToolSource, Toolbox,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A chat whose model wants to erase a disk, and the id of the call.
async fn erasing(toolbox: Toolbox) -> (Chat, String) {
    let model = Scripted::new().calls([("erase", json!({}))]).text("Done.");
    let mut chat = Chat::builder(model, toolbox).build().unwrap();
    let id = chat.send("Erase it.").await.unwrap().pending[0].id.clone();
    (chat, id)
}

fn error_of(message: &Message) -> &ToolError {
    let result = message.results().next().unwrap();
    result.result.as_ref().unwrap_err()
}

#[timed_test::test]
async fn a_call_of_a_source_that_is_dropped_has_perhaps_run_and_waits_no_longer() {
    for gives_back in [false, true] {
        let (gate, mut begun) = gate();
        let (chat, id) = erasing(deferring(Disk::new(gate)).await).await;
        let mut turn = chat.into_stream_decide(&id, true);
        read_until_it_waits(&mut turn);
        assert_eq!(begun.recv().await.unwrap(), "erase");
        let mut chat = if gives_back {
            let slot = Arc::new(std::sync::Mutex::new(None));
            let put = Arc::clone(&slot);
            drop(turn.give_back(move |chat| *put.lock().unwrap() = Some(chat)));
            slot.lock().unwrap().take().unwrap()
        } else {
            turn.into_chat()
        };
        assert!(chat.pending().is_empty());
        let error = error_of(&chat.history()[2]);
        assert_eq!(error.applied(), Applied::Unknown);
        assert!(error.to_string().contains("it was interrupted"), "{error}");
        assert_eq!(chat.resume().await.unwrap().text(), "Done.");
        assert_whole(chat.history());
    }
}

#[timed_test::test]
async fn a_borrowed_stream_that_is_dropped_leaves_the_same() {
    let (gate, mut begun) = gate();
    let (mut chat, id) = erasing(deferring(Disk::new(gate)).await).await;
    let mut turn = chat.stream_decide(&id, true);
    let mut before = turn.next().await;
    tokio::select! {
        biased;
        event = turn.next() => before = event,
        name = begun.recv() => assert_eq!(name.unwrap(), "erase"),
    }
    assert!(matches!(before, Some(Ok(Event::Decided(_)))), "{before:?}");
    drop(turn);
    assert!(chat.pending().is_empty());
    assert_eq!(error_of(&chat.history()[2]).applied(), Applied::Unknown);
}

/// A store that is fed from the events has what the chat has, after each of them.
#[timed_test::test]
async fn the_events_of_a_verdict_have_the_changes_of_the_history() {
    let (gate, _begun) = gate();
    gate.open("erase");
    let (chat, id) = erasing(deferring(Disk::new(gate)).await).await;
    let mut kept = chat.history().to_vec();
    let mut turn = chat.into_stream_decide(&id, true);
    let mut results = Vec::new();
    while let Some(event) = turn.next().await {
        match event.unwrap() {
            Event::Decided(decided) => {
                assert_eq!(decided.id, id);
                let result = &decided.message.results().next().unwrap().result;
                results.push(result.as_ref().map_err(ToolError::applied).cloned());
                *kept.last_mut().unwrap() = decided.message;
            }
            Event::Called(called) => assert_eq!((called.id, results.len()), (id.clone(), 2)),
            Event::StepEnd(end) => kept.extend(end.messages),
            _ => {}
        }
    }
    assert_eq!(results, [Err(Applied::Unknown), Ok("erase".into())]);
    assert_eq!(turn.into_chat().history(), kept);
}

/// The call of a server has one event, which has its result.
#[timed_test::test]
async fn the_verdict_on_an_action_has_one_event() {
    let server = asking().await.0;
    let model = Scripted::new()
        .calls([("add_note", json!({ "text": "A" }))])
        .text("Noted.");
    let mut chat = chat(&model, &server);
    let id = chat.send("Note it.").await.unwrap().pending[0].id.clone();
    let mut turn = chat.stream_decide(&id, true);
    let Some(Ok(Event::Decided(decided))) = turn.next().await else {
        panic!("another event");
    };
    assert_eq!(decided.message.results().next().unwrap().text(), "1");
    drop(turn);
    assert_eq!(chat.history()[2], decided.message);
}

#[timed_test::test]
async fn a_source_that_is_away_after_the_call_has_begun_leaves_the_call_waiting_in_the_events_too()
{
    let (gate, _begun) = gate();
    let disk = Disk::new(gate);
    let (chat, id) = erasing(deferring(disk.clone()).await).await;
    let before = chat.history().to_vec();
    disk.plug(false);
    let mut turn = chat.into_stream_decide(&id, true);
    let mut last = None;
    let error = loop {
        match turn.next().await.unwrap() {
            Ok(Event::Decided(decided)) => last = Some(decided.message),
            Ok(other) => panic!("{other:?}"),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, ChatError::Decision { .. }), "{error}");
    assert_eq!(last, before.last().cloned());
    assert_eq!(turn.into_chat().history(), before);
}

/// A disk whose list changes all the time, and takes its time when it is asked.
#[derive(Clone)]
struct SlowList {
    gate: Gate,
    is_slow: Arc<AtomicBool>,
    generation: Arc<AtomicU64>,
}

impl SlowList {
    async fn pass(&self) {
        if self.is_slow.load(Ordering::SeqCst) {
            self.gate.pass("list").await;
        }
    }
}

impl ToolSource for SlowList {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        let schema = json!({ "type": "object", "properties": {} });
        let mut tool = ToolBuf::new("erase", "A tool.", schema);
        tool.hints.destructive = true;
        Box::pin(async move {
            self.pass().await;
            Ok(vec![tool.into()])
        })
    }

    fn call<'a>(&'a self, _: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(async { Ok("erased".into()) })
    }

    fn generation(&self) -> Option<u64> {
        Some(self.generation.fetch_add(1, Ordering::SeqCst))
    }
}

/// The list is asked for before the call: nothing has run, whatever the verdict is.
#[timed_test::test]
async fn a_verdict_that_is_interrupted_before_the_call_begins_can_be_given_again() {
    let denied = || Verdict::Deny("no".into());
    for (verdict, is_dropped) in [
        (Verdict::Approve, false),
        (denied(), false),
        (Verdict::Later, false),
        (Verdict::Approve, true),
        (denied(), true),
    ] {
        let (gate, mut begun) = gate();
        let disk = SlowList {
            gate: gate.clone(),
            is_slow: Arc::default(),
            generation: Arc::default(),
        };
        let builder = Toolbox::builder().source("disk", disk.clone());
        let builder = builder.approver(|_: ApprovalRequest| async { Verdict::Later });
        let (chat, id) = erasing(builder.build().await.unwrap()).await;
        let canceller = chat.canceller();
        disk.is_slow.store(true, Ordering::SeqCst);
        gate.open("list"); // the first request is that of the chat, the second one that of the session
        let mut turn = chat.into_stream_decide(&id, verdict);
        assert!(read_until_it_waits(&mut turn).is_empty());
        for _ in 0..2 {
            assert_eq!(begun.recv().await.unwrap(), "list");
        }
        let mut chat = if is_dropped {
            turn.into_chat()
        } else {
            canceller.cancel();
            let (turn, chat) = ended(turn).await;
            assert_eq!((turn.stop, turn.calls.len()), (Stop::Cancelled, 0));
            chat
        };
        assert_eq!(chat.pending().len(), 1);
        disk.is_slow.store(false, Ordering::SeqCst);
        let turn = chat.decide(&id, true).await.unwrap();
        assert_eq!((turn.text(), &*results(&turn)[0]), ("Done.", "erased"));
    }
}

/// A server that asks about each action, and defers the decision.
async fn asking() -> (
    AgentServer<Assistant>,
    Gate,
    tokio::sync::mpsc::UnboundedReceiver<String>,
) {
    let (gate, begun) = gate();
    let resources = Gates { gate: gate.clone() };
    let builder = AgentServer::builder(Assistant::new()).resources(resources);
    let builder = builder
        .guard(|_: &Attempt<'_>| Decision::Ask)
        .approval_secret("the secret of all processes".as_bytes().to_vec())
        .approver(|_: ApprovalRequest| async { Verdict::Later });
    (builder.start().await.unwrap(), gate, begun)
}

/// The program learns that the call has perhaps begun, and decides.
#[timed_test::test]
async fn a_server_that_is_killed_while_it_decides_leaves_the_call_waiting() {
    let (server, _gate, mut begun) = asking().await;
    let model = Scripted::new()
        .calls([("send_slowly", json!({ "name": "s1" }))])
        .text("Sent.");
    let mut first = chat(&model, &server);
    let id = first.send("Send it.").await.unwrap().pending[0].id.clone();
    let turn = tokio::spawn(async move {
        let mut turn = first.into_stream_decide(&id, true);
        let event = turn.next().await.unwrap();
        (event, turn.into_chat(), id)
    });
    begun.recv().await.unwrap();
    server.kill();
    let (event, stopped, id) = turn.await.unwrap();
    let error = event.unwrap_err();
    assert!(
        error.to_string().contains("its server has not answered"),
        "{error}"
    );
    assert!(matches!(error, ChatError::Decision { .. }), "{error}");
    assert_eq!(stopped.pending().len(), 1);

    let (again, gate, _begun) = asking().await;
    gate.open("s1");
    let history = stored(stopped.history());
    let mut second = builder(&model, &again).history(history).build().unwrap();
    assert_eq!(second.decide(&id, true).await.unwrap().text(), "Sent.");
}
