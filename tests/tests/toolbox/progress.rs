//! The progress of calls through a session.

use crate::rest_of_progress::rest;
use crate::script::tool;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::prelude::*;
use skill_agent::server::{
    ApprovalRequest, Attempt, Decision, PROGRESS_CAPACITY, ProgressSender, Verdict,
    progress_channel,
};
use skill_agent::toolbox::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolError, ToolOutput, ToolSession, ToolSource,
    Toolbox,
};
use std::sync::{Arc, Mutex};

/// Copies.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "copies", actions(Copy, CountCopies))]
pub struct Copies {}

/// Copy some pages.
#[action]
pub async fn copy(_: &Copies, cx: &mut Context<Copies>, pages: usize) -> usize {
    for page in 1..=pages {
        cx.progress(page);
    }
    assert_ne!(pages, 13, "no paper");
    pages
}

/// Count the copies.
#[action]
pub fn count_copies(_: &Copies) -> usize {
    0
}

agent! {
    pub struct Copier {
        name: "copier",
        skills: [Copies],
    }
}

async fn copier() -> ToolSession {
    let server = AgentServer::builder(Copier::new()).start().await.unwrap();
    Toolbox::of(&server).session(ForeignCaller::Model)
}

/// Calls a tool and reads its progress at the same time.
async fn called(
    session: &ToolSession,
    name: &str,
    arguments: &str,
) -> (Result<String, ToolError>, Vec<Value>) {
    let (sender, progress) = progress_channel();
    let call = session.call_with_progress(name, arguments, sender);
    let (output, values) = tokio::join!(call, rest(progress));
    (output.map(|output| output.text().into_owned()), values)
}

#[timed_test::test]
async fn the_caller_gets_the_progress_of_an_async_action() {
    let session = copier().await;
    let copied = called(&session, "copy", r#"{"pages":3}"#).await;
    assert_eq!(
        copied,
        (Ok("3".to_owned()), vec![1.into(), 2.into(), 3.into()])
    );
    let (crashed, values) = called(&session, "copy", r#"{"pages":13}"#).await;
    assert_eq!(values.len(), 13);
    assert!(crashed.unwrap_err().to_string().contains("panicked"));
}

#[timed_test::test]
async fn a_call_without_progress_ends_the_channel() {
    let session = copier().await;
    let counted = called(&session, "count_copies", "{}").await;
    assert_eq!(counted, (Ok("0".to_owned()), vec![]));
    for name in ["copy", "fax"] {
        let (failed, values) = called(&session, name, "[]").await;
        assert!(failed.is_err() && values.is_empty());
    }
    let (sender, progress) = progress_channel();
    drop(session.call_with_progress("copy", r#"{"pages":1}"#, sender));
    assert!(rest(progress).await.is_empty());
}

#[timed_test::test]
async fn values_that_are_not_read_drop_the_oldest_and_are_counted() {
    let session = copier().await;
    let (sender, mut progress) = progress_channel();
    let call = session.call_with_progress("copy", r#"{"pages":100}"#, sender);
    assert_eq!(call.await.unwrap().text(), "100");
    assert_eq!(progress.lost(), 100 - PROGRESS_CAPACITY as u64);
    assert_eq!(progress.try_next(), Some(json!(101 - PROGRESS_CAPACITY)));
    assert_eq!(rest(progress).await.last(), Some(&json!(100)));
}

#[timed_test::test]
async fn an_approved_action_reports_to_the_one_who_decides() {
    let server = AgentServer::builder(Copier::new())
        .guard(|_: &Attempt<'_>| Decision::Ask)
        .approver(|_: ApprovalRequest| async { Verdict::Later });
    let server = server.start().await.unwrap();
    let session = Toolbox::of(&server).session(ForeignCaller::Model);
    let (waiting, values) = called(&session, "copy", r#"{"pages":2}"#).await;
    let Err(ToolError::Pending(request)) = waiting else {
        panic!("{waiting:?}");
    };
    assert!(values.is_empty());
    let expected = [vec![json!(1), json!(2)], vec![]];
    // decided again, it gets the answer of the first time
    for expected in expected {
        let (sender, progress) = progress_channel();
        let decided = session.decide_with_progress((*request).clone(), true, sender);
        let (output, values) = tokio::join!(decided, rest(progress));
        assert_eq!((output.unwrap().text().as_ref(), values), ("2", expected));
    }
}

/// A source that keeps the senders of its calls.
#[derive(Clone, Default)]
struct Fax(Arc<Mutex<Vec<ProgressSender>>>);

impl ToolSource for Fax {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        Box::pin(async { Ok(vec![tool("fax")]) })
    }

    fn call<'a>(&'a self, call: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(async move {
            if let Some(progress) = call.progress {
                progress.send("dialing");
                self.0.lock().unwrap().push(progress.clone());
            }
            Ok("sent".into())
        })
    }
}

#[timed_test::test]
async fn a_source_reports_until_its_call_ends() {
    let fax = Fax::default();
    let toolbox = Toolbox::builder().source("office", fax.clone()).build();
    let session = toolbox.await.unwrap().session(ForeignCaller::Model);
    let arguments = r#"{"text":"Hello."}"#;
    let output = session.call("fax", arguments).await.unwrap();
    assert_eq!(
        (output.text().as_ref(), fax.0.lock().unwrap().len()),
        ("sent", 0)
    );

    let (sender, mut progress) = progress_channel();
    let call = session.call_with_progress("fax", arguments, sender);
    assert_eq!(call.await.unwrap().text(), "sent");
    let kept = fax.0.lock().unwrap().pop().unwrap();
    kept.send("too late");
    assert_eq!(progress.next().await, Some(json!("dialing")));
    assert_eq!(progress.next().await, None);
}
