//! Stops the children one after another, first with a request and then by aborting them.

use super::Supervisor;
use super::child::{RunningTask, State};
use skill_core::child::Shutdown;
use std::borrow::Cow;
use std::future::poll_fn;
use std::task::Poll;
use std::time::Duration;

/// How long to wait for an aborted child. A child that is still running after that never reaches an `await`: it blocks its
/// thread, and nothing outside can stop it.
const ABORT_TIMEOUT: Duration = Duration::from_secs(1);

/// The children that did not stop when asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StopReport {
    /// The ids of the children that exceeded their shutdown time and were aborted. Children with a brutal shutdown are not
    /// included.
    pub aborted: Vec<Cow<'static, str>>,
    /// The ids of the children that could not be aborted within a second, because they block their threads. They are still
    /// running.
    pub stuck: Vec<Cow<'static, str>>,
}

impl Supervisor {
    /// Stops the children one after the other, in the reverse order of their starts. Each child is asked to stop, and is aborted if
    /// its shutdown time passes. A child with a brutal shutdown is aborted at once. After that, no child can be started.
    ///
    /// Cancel safe: a second call continues where a dropped call left off, but its report covers only its own part.
    pub async fn stop_all(&mut self) -> StopReport {
        self.close();
        let mut report = StopReport::default();
        while let Some(&index) = self.order.last() {
            self.stop_one(index, &mut report).await;
            self.order.retain(|other| *other != index);
        }
        // dropping the set aborts stuck tasks without waiting for them
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

    /// Waits at most `time` for one child to end, and returns whether it has ended. Other children that end in the meantime
    /// become idle.
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
