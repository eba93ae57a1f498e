//! The end: every child is asked in turn, and made to.

use super::Supervisor;
use super::child::{Run, State};
use crate::Shutdown;
use std::borrow::Cow;
use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

/// How long an aborted child may take to let go. One that does not comes to no `await`: it holds its thread, and nothing
/// can end it from outside.
const LET_GO: Duration = Duration::from_secs(1);

/// How the children stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StopReport {
    /// Those who still ran when their time was over, and were aborted. Not those whose shutdown is brutal.
    pub aborted: Vec<Cow<'static, str>>,
    /// Those who could not be aborted within a second, because they block their thread. They were left behind.
    pub stuck: Vec<Cow<'static, str>>,
}

impl Supervisor {
    /// Stops the children in the reverse order of their starts, one after the other: asks, waits as long as the child may
    /// take, aborts. After this no child can be started.
    ///
    /// Cancel safe in that a second call goes on where a dropped one was; only the report is then of the second.
    pub async fn stop_all(&mut self) -> StopReport {
        self.close();
        let mut report = StopReport::default();
        while let Some(&index) = self.order.last() {
            self.stop_one(index, &mut report).await;
            self.order.retain(|other| *other != index);
        }
        // what is stuck is not waited for when it is dropped
        self.tasks = None;
        report
    }

    async fn stop_one(&mut self, index: usize, report: &mut StopReport) {
        let child = &self.children[index];
        let Some(Run { stop, abort, .. }) = child.run() else {
            return;
        };
        let (id, skill, abort) = (child.spec.id.clone(), child.skill, abort.clone());
        if let Shutdown::After(time) = child.spec.shutdown {
            stop.cancel();
            if self.ended(index, time).await {
                return;
            }
            tracing::warn!(child = %id, skill, ?time, "child did not stop in its time and is aborted");
            report.aborted.push(id.clone());
        }
        abort.abort();
        if !self.ended(index, LET_GO).await {
            tracing::error!(child = %id, skill, "child blocks its thread and is left behind");
            report.stuck.push(id);
            self.children[index].state = State::Idle;
        }
    }

    /// Waits for the end of one child, at most for `time`; others that end meanwhile are idle after it.
    async fn ended(&mut self, index: usize, time: Duration) -> bool {
        let mut over = self.clock.sleep(time);
        poll_fn(|cx| {
            loop {
                if self.children[index].run().is_none() {
                    return Poll::Ready(true);
                }
                if self.poll_exit(cx).is_pending() {
                    return over.as_mut().poll(cx).map(|()| false);
                }
            }
        })
        .await
    }
}
