//! The progress of calls of sources, whose code runs within the turn.

use crate::progress::{next_progress, of_calls};
use serde_json::json;
use skill_agent::ToolBuf;
use skill_agent::chat::{Called, Chat, Scripted, Stop};
use skill_agent::server::{ApprovalRequest, Attempt, Decision, Verdict};
use skill_agent::toolbox::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolOutput, ToolSource, Toolbox,
};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A source with a tool that reports until the other one is called.
#[derive(Clone, Default)]
struct Radio {
    is_off: Arc<AtomicBool>,
}

impl ToolSource for Radio {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        let tool = |name: &str| {
            let schema = json!({ "type": "object", "properties": {} });
            SourceTool::from(ToolBuf::new(name, "A tool.", schema)).lane(name)
        };
        Box::pin(async move { Ok(vec![tool("play"), tool("turn_off")]) })
    }

    fn call<'a>(&'a self, call: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(async move {
            let progress = call.progress.unwrap();
            if call.name == "turn_off" {
                self.is_off.store(true, Ordering::SeqCst);
            }
            progress.send(call.name);
            while !self.is_off.load(Ordering::SeqCst) {
                progress.send("music");
                tokio::task::yield_now().await;
            }
            Ok("done".into())
        })
    }
}

#[timed_test::test]
async fn a_source_that_reports_all_the_time_leaves_other_calls_their_turn() {
    let toolbox = Toolbox::builder().source("radio", Radio::default()).build();
    let calls = [("play", json!({})), ("turn_off", json!({}))];
    let model = Scripted::new().calls(calls).text("Quiet.");
    let mut chat = Chat::builder(model, toolbox.await.unwrap())
        .build()
        .unwrap();
    let events = of_calls(chat.stream("Play, then turn it off.")).await;
    let begun = [
        "calling call_1_1_0",
        "calling call_1_1_1",
        r#"call_1_1_0 play "play""#,
        r#"call_1_1_1 turn_off "turn_off""#,
    ];
    assert_eq!(events[..4], begun);
    let ends = events.iter().filter(|event| event.starts_with("called"));
    assert_eq!(ends.count(), 2);
}

/// A chat whose model plays a radio that is off: the call reports once, and ends at once.
async fn of_silence(decision: Decision) -> Chat {
    let radio = Radio::default();
    radio.is_off.store(true, Ordering::SeqCst);
    let builder = Toolbox::builder().source("radio", radio);
    let builder = builder.guard(move |_: &Attempt<'_>| decision.clone());
    let builder = builder.approver(|_: ApprovalRequest| async { Verdict::Later });
    let model = Scripted::new().calls([("play", json!({}))]).text("Done.");
    let toolbox = builder.build().await.unwrap();
    Chat::builder(model, toolbox).build().unwrap()
}

fn assert_done(calls: &[Called]) {
    let [call] = calls else { panic!("{calls:?}") };
    assert_eq!(call.result.as_ref().unwrap().text(), "done");
}

#[timed_test::test]
async fn a_call_that_has_ended_keeps_its_result_if_its_turn_is_cancelled_before_its_progress_is_read()
 {
    let mut chat = of_silence(Decision::Allow).await;
    let canceller = chat.canceller();
    let mut turn = chat.stream("Play.");
    assert_eq!(next_progress(&mut turn).await, "play");
    canceller.cancel();
    let turn = turn.finish().await.unwrap();
    assert_eq!(turn.stop, Stop::Cancelled);
    assert_done(&turn.calls);
}

#[timed_test::test]
async fn an_approved_call_that_has_ended_keeps_its_result_too() {
    let mut chat = of_silence(Decision::Ask).await;
    let id = chat.send("Play.").await.unwrap().pending[0].id.clone();
    let canceller = chat.canceller();
    let mut turn = chat.stream_decide(&id, true);
    assert_eq!(next_progress(&mut turn).await, "play");
    canceller.cancel();
    let turn = turn.finish().await.unwrap();
    assert_eq!(turn.stop, Stop::Cancelled);
    assert_done(&turn.calls);
    assert!(chat.pending().is_empty());
}

#[timed_test::test]
async fn an_approved_call_of_a_source_reports_its_progress() {
    let mut chat = of_silence(Decision::Ask).await;
    let id = chat.send("Play.").await.unwrap().pending[0].id.clone();
    assert_eq!(
        of_calls(chat.stream_decide(&id, true)).await,
        [r#"call_1_1_0 play "play""#, "called call_1_1_0"]
    );
}
