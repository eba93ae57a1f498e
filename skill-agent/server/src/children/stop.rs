//! Stops the children in turn: first by request, then by abort.

use super::Supervisor;
use super::child::{RunningTask, State};
use skill_core::child::Shutdown;
use std::borrow::Cow;
use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

/// How long to wait for an aborted child. A child that still runs after that never reaches an `await`: it blocks its thread, and
/// nothing outside can end it.
const ABORT_TIMEOUT: Duration = Duration::from_secs(1);

/// The children that did not stop as asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StopReport {
    /// Children that exceeded their shutdown time and were aborted. Children with a brutal shutdown are not included.
    pub aborted: Vec<Cow<'static, str>>,
    /// Children that could not be aborted within a second because they block their thread. They were left running.
    pub stuck: Vec<Cow<'static, str>>,
}

impl Supervisor {
    /// Stops the children one after the other, in the reverse order of their starts. Each child is asked to stop, gets its
    /// shutdown time, and is then aborted. No child can be started afterwards.
    ///
    /// Cancel safe: a second call continues where a dropped one stopped. Its report covers only its own part.
    pub async fn stop_all(&mut self) -> StopReport {
        self.close();
        let mut report = StopReport::default();
        while let Some(&index) = self.order.last() {
            self.stop_one(index, &mut report).await;
            self.order.retain(|other| *other != index);
        }
        // Dropping the set aborts stuck tasks without waiting for them.
        self.tasks = None;
        report
    }

    async fn stop_one(&mut self, index: usize, report: &mut StopReport) {
        let child = &self.children[index];
        let Some(RunningTask { stop, abort, .. }) = child.running_task() else {
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
        if !self.ended(index, ABORT_TIMEOUT).await {
            tracing::error!(child = %id, skill, "child blocks its thread and is left behind");
            report.stuck.push(id);
            self.children[index].state = State::Idle;
        }
    }

    /// Waits at most `time` for one child to end, and returns whether it ended. Other children that end meanwhile become idle.
    async fn ended(&mut self, index: usize, time: Duration) -> bool {
        let mut timeout = self.clock.sleep(time);
        poll_fn(|cx| {
            loop {
                if self.children[index].running_task().is_none() {
                    return Poll::Ready(true);
                }
                if self.poll_exit(cx).is_pending() {
                    return timeout.as_mut().poll(cx).map(|()| false);
                }
            }
        })
        .await
    }
}
