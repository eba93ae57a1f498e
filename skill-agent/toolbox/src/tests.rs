//! Tests sources that list their tools slowly, with paused time.

use super::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolError, ToolOutput, ToolSource, Toolbox,
};
use serde_json::json;
use skill_core::{ForeignCaller, ToolBuf};
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

fn tool(name: &str) -> SourceTool {
    ToolBuf::new(name, "A tool.", json!({ "type": "object" })).into()
}

fn no_call<'a>() -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
    Box::pin(async { Err(SourceError::failed("it is not called")) })
}

/// A source that does not answer while it is closed.
struct Gate(&'static str, watch::Receiver<bool>);

impl ToolSource for Gate {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        let is_open = *self.1.borrow();
        Box::pin(async move {
            if !is_open {
                pending::<()>().await;
            }
            Ok(vec![tool(self.0)])
        })
    }

    fn call<'a>(&'a self, _: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        no_call()
    }
}

#[tokio::test(start_paused = true)]
async fn a_source_that_hangs_is_withheld_and_rests() {
    let (open, is_open) = watch::channel(false);
    let toolbox = Toolbox::builder()
        .source("gate", Gate("gate", is_open))
        .source("other", Gate("other", watch::channel(true).1));
    let start = Instant::now();
    let session = toolbox.build().await.unwrap().session(ForeignCaller::Model);
    assert_eq!(start.elapsed().as_secs(), 10);
    let list = session.list().await;
    assert_eq!(
        list.withheld[0].reason,
        "it did not list its tools within 10s"
    );
    assert_eq!(list.tools[0].source, "other");
    open.send(true).unwrap();
    let error = session.call("gate", "{}").await.unwrap_err();
    assert!(
        matches!(error, ToolError::Unknown { .. }),
        "it was never listed: {error}"
    );
    assert_eq!(
        start.elapsed().as_secs(),
        10,
        "a source that rests is not waited for"
    );
    tokio::time::advance(Duration::from_secs(30)).await;
    assert_eq!(session.list().await.tools[0].source, "gate");
    open.send(false).unwrap();
    session.list().await;
    let error = session.call("gate", "{}").await.unwrap_err();
    let text = "`gate` cannot be called now: it did not list its tools within 10s";
    assert_eq!(error.to_string(), text);
}

/// A source that lists one more tool each time. Its second list waits until it is released.
#[derive(Default)]
struct Numbered {
    lists: AtomicUsize,
    let_go: Arc<Notify>,
}

impl ToolSource for Numbered {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        Box::pin(async move {
            let number = self.lists.fetch_add(1, Ordering::SeqCst);
            if number == 1 {
                self.let_go.notified().await;
            }
            Ok((0..=number)
                .map(|number| tool(&format!("n{number}")))
                .collect())
        })
    }

    fn call<'a>(&'a self, _: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        no_call()
    }
}

#[tokio::test(start_paused = true)]
async fn a_list_that_was_asked_for_earlier_does_not_replace_a_later_one() {
    let source = Numbered::default();
    let let_go = source.let_go.clone();
    let toolbox = Toolbox::builder().source("numbered", source).build().await;
    let toolbox = toolbox.unwrap();
    let slow = toolbox.session(ForeignCaller::Model);
    let slow = tokio::spawn(async move { slow.list().await });
    tokio::task::yield_now().await;
    let session = toolbox.session(ForeignCaller::Model);
    let newer = session.list().await;
    assert_eq!(newer.tools.len(), 3);
    let_go.notify_one();
    assert!(Arc::ptr_eq(&slow.await.unwrap(), &newer));
}
