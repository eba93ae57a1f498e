//! Running calls and reading their progress.

use serde_json::Value;
use skill_agent_server::{BoxFuture, ProgressReceiver, ProgressSender, progress_channel};
use skill_agent_toolbox::__private::ToolKind;
use skill_agent_toolbox::{ToolError, ToolOutput};
use std::task::{Context, Poll};

pub(super) type CallResult = Result<ToolOutput, ToolError>;

/// A running call.
pub(super) struct RunningCall {
    call: BoxFuture<'static, CallResult>,
    progress: Option<ProgressReceiver>,
    /// The result of the call, held back until its progress has been read.
    result: Option<CallResult>,
}

pub(super) enum CallStep {
    Progress(Value),
    Ended(CallResult),
}

impl RunningCall {
    /// Starts a tool call. `kind` is `None` for an unlisted tool. A call gets a progress sender only if its tool may report
    /// progress.
    pub(super) fn new(
        kind: Option<ToolKind>,
        call: impl FnOnce(Option<ProgressSender>) -> BoxFuture<'static, CallResult>,
    ) -> Self {
        let may_report = kind.is_some_and(ToolKind::may_report);
        let (sender, progress) = may_report.then(progress_channel).unzip();
        Self {
            call: call(sender),
            progress,
            result: None,
        }
    }

    /// Polls for the next progress or the end of the call. The end comes after all progress, which is finite because its channel
    /// closes with the call.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<CallStep> {
        if self.result.is_none()
            && let Poll::Ready(result) = self.call.as_mut().poll(cx)
        {
            self.result = Some(result);
        }
        if let Some(progress) = &mut self.progress
            && let Poll::Ready(Some(value)) = progress.poll_next(cx)
        {
            return Poll::Ready(CallStep::Progress(value));
        }
        match self.result.take() {
            Some(result) => Poll::Ready(CallStep::Ended(result)),
            None => Poll::Pending,
        }
    }

    /// Cancels the call unless it has ended. Returns the unread progress, and the result if the call has ended.
    pub(super) fn cancel(self) -> (Vec<Value>, Option<CallResult>) {
        drop(self.call);
        let mut progress = self.progress;
        let mut next = || progress.as_mut()?.try_next();
        (std::iter::from_fn(&mut next).collect(), self.result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_tools_that_may_report_have_a_channel() {
        for (kind, expected) in [
            (None, false),
            (Some(ToolKind::PureAction), false),
            (Some(ToolKind::Builtin), false),
            (Some(ToolKind::AsyncAction), true),
            (Some(ToolKind::Foreign), true),
        ] {
            let call = RunningCall::new(kind, |sender| {
                assert_eq!(sender.is_some(), expected, "{kind:?}");
                Box::pin(async { Ok("done".into()) })
            });
            assert_eq!(call.progress.is_some(), expected, "{kind:?}");
        }
    }
}
