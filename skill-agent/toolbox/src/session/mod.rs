//! A session: a toolbox's tools for one conversation or client.

#[cfg(feature = "documents")]
mod active;
mod call;
mod deferring;
mod groups;
mod held;
mod inner;
mod results;
#[cfg(feature = "documents")]
mod rights;
mod tools_now;
mod view;

#[cfg(feature = "documents")]
pub use rights::DocumentRights;

use super::error::{PendingInside, ToolError};
use super::list::ToolList;
use super::output::ToolOutput;
use super::shared::Shared;
use call::{Call, Key};
use inner::{Found, Inner};
use skill_agent_models::{Repair, repair_arguments};
use skill_agent_server::{ApprovalRequest, ProgressSender, Verdict};
use skill_core::{Caller, ForeignCaller};
use std::fmt;
use std::future::ready;
use std::sync::{Arc, OnceLock};

pub use held::{CallAttempt, HeldCall};
pub use tools_now::{ToolNow, ToolsNow};

/// A toolbox's tools for one conversation or client. Created by [`Toolbox::session`](super::Toolbox::session).
///
/// All calls are made on behalf of the session's caller. The session keeps the active documents and the cut results of its
/// conversation. Calls may run concurrently, and dropping the future of a call cancels the call.
pub struct ToolSession {
    inner: Inner,
    lenient: bool,
}

impl fmt::Debug for ToolSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolSession")
            .field("caller", &self.inner.caller)
            .finish_non_exhaustive()
    }
}

impl ToolSession {
    pub(super) fn new(
        shared: Arc<Shared>,
        caller: ForeignCaller,
        no_documents: Option<Arc<str>>,
    ) -> Self {
        Self {
            inner: Inner::new(shared, caller, no_documents),
            lenient: false,
        }
    }

    /// Sets whether invalid arguments are [repaired](skill_agent_models::repair_arguments) and tried again. Defaults to `false`.
    ///
    /// The guard and everything after it see the repaired arguments. If these are invalid too, the error describes the original
    /// ones.
    #[must_use]
    pub fn lenient(mut self, lenient: bool) -> Self {
        self.lenient = lenient;
        self
    }

    /// Returns results whole, for a client that cannot read the rest of a cut one.
    #[doc(hidden)]
    #[must_use]
    pub fn uncut(mut self) -> Self {
        self.inner.cuts_results = false;
        self
    }

    /// Returns the caller on whose behalf the calls are made.
    pub fn caller(&self) -> &Caller {
        &self.inner.caller
    }

    /// Returns the tools. As long as the list does not change, returns the same `Arc` with the same generation.
    ///
    /// The active documents do not change the list, because a provider's cache would lose the conversation. A call to a tool that
    /// they do not allow is an error.
    ///
    /// A source that fails or does not respond is listed in [`withheld`](ToolList::withheld).
    pub async fn list(&self) -> Arc<ToolList> {
        self.inner.list().await
    }

    /// Calls a tool with a model's JSON arguments.
    ///
    /// Text beyond 64 KiB is cut off. The last line then says how to continue with the tool `read_result`, which is listed from
    /// then on. The session keeps the last 16 cut results, up to a total of 16 MiB.
    ///
    /// # Errors
    /// See [`ToolError`]. The messages address the model.
    pub async fn call(&self, name: &str, arguments: &str) -> Result<ToolOutput, ToolError> {
        self.run(Key::None, name, arguments, None, &OnceLock::new())
            .await
    }

    /// Like [`call`](Self::call), but sends the tool's progress to a [channel](skill_agent_server::progress_channel). The channel
    /// closes when the call ends or its future is dropped.
    ///
    /// Async actions report progress with [`Context::progress`](skill_core::Context::progress), and custom sources with
    /// [`SourceCall::progress`](super::SourceCall::progress). Other tools report none.
    ///
    /// # Errors
    /// Returns the same errors as [`call`](Self::call).
    pub async fn call_with_progress(
        &self,
        name: &str,
        arguments: &str,
        progress: ProgressSender,
    ) -> Result<ToolOutput, ToolError> {
        let _end = progress.end_on_drop();
        self.run(
            Key::None,
            name,
            arguments,
            Some(&progress),
            &OnceLock::new(),
        )
        .await
    }

    /// Like [`call`](Self::call), with an idempotency key, which your program chooses, never the model.
    ///
    /// The toolbox passes the key on. A server runs an action at most once per key (see
    /// [`AgentServer::call_with_key`](skill_agent_server::AgentServer::call_with_key)), whereas a custom source receives the key
    /// in [`SourceCall::key`](super::SourceCall::key) and may run the tool again.
    ///
    /// # Errors
    /// Returns the same errors as [`call`](Self::call).
    pub async fn call_with_key(
        &self,
        key: &str,
        name: &str,
        arguments: &str,
    ) -> Result<ToolOutput, ToolError> {
        self.run(Key::Own(key), name, arguments, None, &OnceLock::new())
            .await
    }

    /// Like [`call_with_key`](Self::call_with_key), with a channel for progress as in
    /// [`call_with_progress`](Self::call_with_progress).
    #[doc(hidden)]
    pub async fn call_with_key_and_progress(
        &self,
        key: Option<&str>,
        name: &str,
        arguments: &str,
        progress: Option<ProgressSender>,
    ) -> Result<ToolOutput, ToolError> {
        let _end = progress.as_ref().map(ProgressSender::end_on_drop);
        let key = key.map_or(Key::None, Key::Own);
        self.run(key, name, arguments, progress.as_ref(), &OnceLock::new())
            .await
    }

    /// Like [`call`](Self::call), with an optional channel for progress. Stores the repairs of the arguments in `repairs`.
    #[doc(hidden)]
    pub async fn call_listing_repairs(
        &self,
        held: Option<HeldCall<'_>>,
        name: &str,
        arguments: &str,
        progress: Option<ProgressSender>,
        repairs: &OnceLock<Vec<Repair>>,
    ) -> Result<ToolOutput, ToolError> {
        let _end = progress.as_ref().map(ProgressSender::end_on_drop);
        let mut key = Key::None;
        if let Some(held) = held {
            let found = self.inner.find(name).await?;
            if let Some(earlier) = self.earlier(&found, held).await {
                return Ok(self.inner.shown(&found, earlier?));
            }
            key = held.key_for(&found);
        }
        self.run(key, name, arguments, progress.as_ref(), repairs)
            .await
    }

    async fn run(
        &self,
        key: Key<'_>,
        name: &str,
        arguments: &str,
        progress: Option<&ProgressSender>,
        repairs: &OnceLock<Vec<Repair>>,
    ) -> Result<ToolOutput, ToolError> {
        if key.text().is_some_and(str::is_empty) {
            return Err(ToolError::EmptyKey);
        }
        let found = self.inner.find(name).await;
        let found = found.map_err(|error| self.inner.or_swapped_key(error, key.text()))?;
        self.inner.check_access(&found)?;
        // a call that a person has approved does not need its group any more
        self.inner.check_group(found.listed())?;
        let call = Call::new(&self.inner, &found, key).with_progress(progress);
        let mut result = call.run(arguments).await;
        if let Err(ToolError::Arguments { .. }) = &result
            && self.lenient
            && let Some(repaired) = repair_arguments(&found.listed().tool.as_tool(), arguments)
        {
            // trying again is safe, because nothing has run yet
            let again = call.run(&repaired.text).await;
            if !matches!(again, Err(ToolError::Arguments { .. })) {
                tracing::debug!(tool = name, repairs = ?repaired.repairs, "arguments were repaired");
                let _ = repairs.set(repaired.repairs);
                result = again;
            }
        }
        Ok(self.inner.shown(&found, result?))
    }

    /// Carries out the verdict on one of this caller's deferred requests. An approved call runs, unless the guard, which decides
    /// again, denies it, and its output is returned.
    ///
    /// A server decides on its own requests, like [`AgentServer::decide`](skill_agent_server::AgentServer::decide). Requests for
    /// other tools are decided by the toolbox that created them, or by a toolbox with the same
    /// [secret](super::ToolboxBuilder::approval_secret), even in another process. Each toolbox decides a request once.
    ///
    /// # Errors
    /// Returns the same errors as [`call`](Self::call), or [`InvalidRequest`](ToolError::InvalidRequest).
    pub async fn decide(
        &self,
        request: ApprovalRequest,
        verdict: impl Into<Verdict>,
    ) -> Result<ToolOutput, ToolError> {
        self.carry_out(request, verdict.into(), None, ready(()))
            .await
    }

    /// Like [`decide`](Self::decide), with a channel for progress as in [`call_with_progress`](Self::call_with_progress).
    ///
    /// # Errors
    /// Returns the same errors as [`decide`](Self::decide).
    pub async fn decide_with_progress(
        &self,
        request: ApprovalRequest,
        verdict: impl Into<Verdict>,
        progress: ProgressSender,
    ) -> Result<ToolOutput, ToolError> {
        self.carry_out(request, verdict.into(), Some(progress), ready(()))
            .await
    }

    /// Like [`decide`](Self::decide), with an optional channel for progress. An approved call starts after `begins` completes,
    /// unless it is a pure action of a server. From then on, the call may have taken effect, and the request counts as decided.
    #[doc(hidden)]
    pub async fn carry_out(
        &self,
        request: ApprovalRequest,
        verdict: Verdict,
        progress: Option<ProgressSender>,
        begins: impl Future<Output = ()> + Send,
    ) -> Result<ToolOutput, ToolError> {
        let _end = progress.as_ref().map(ProgressSender::end_on_drop);
        self.check_caller(&request)?;
        let found = self.find_waiting(&request.tool.name).await?;
        if let Verdict::Approve | Verdict::ApproveWith(_) = &verdict {
            self.inner.check_access(&found)?;
        }
        let key = request.caller_key().unwrap_or(&request.id).to_owned();
        let call = Call::new(&self.inner, &found, Key::Own(&key)).with_progress(progress.as_ref());
        let output = call.decide(request, verdict, begins).await?;
        Ok(self.inner.shown(&found, output))
    }

    /// Carries out the verdict on a request inside a call that waits; see [`ToolError::PendingInside`]. `request` is the
    /// [id](ApprovalRequest::id) of one of its requests. If the call waits for other requests after that, they are in the error.
    ///
    /// # Errors
    /// Returns the same errors as [`call`](Self::call), or [`InvalidRequest`](ToolError::InvalidRequest).
    pub async fn decide_inside(
        &self,
        pending: &PendingInside,
        request: &str,
        verdict: impl Into<Verdict>,
    ) -> Result<ToolOutput, ToolError> {
        self.carry_out_inside(pending, request, verdict.into(), None, ready(()))
            .await
    }

    /// Like [`decide_inside`](Self::decide_inside), with an optional channel for progress. The call continues after `begins`
    /// completes.
    #[doc(hidden)]
    pub async fn carry_out_inside(
        &self,
        pending: &PendingInside,
        request: &str,
        verdict: Verdict,
        progress: Option<ProgressSender>,
        begins: impl Future<Output = ()> + Send,
    ) -> Result<ToolOutput, ToolError> {
        let _end = progress.as_ref().map(ProgressSender::end_on_drop);
        self.check_caller(&pending.request)?;
        let mut requests = pending.requests.iter();
        let Some(request) = requests.find(|waiting| waiting.id == request) else {
            return Err(ToolError::invalid("the call does not wait for it"));
        };
        let found = self.find_waiting(&pending.request.tool.name).await?;
        // also after a denial, the call goes on
        self.inner.check_access(&found)?;
        let call = Call::new(&self.inner, &found, Key::None).with_progress(progress.as_ref());
        let output = call.decide_inside(pending, request, verdict, begins);
        Ok(self.inner.shown(&found, output.await?))
    }

    fn check_caller(&self, request: &ApprovalRequest) -> Result<(), ToolError> {
        if request.caller == self.inner.caller {
            Ok(())
        } else {
            Err(ToolError::invalid("it is of another caller"))
        }
    }

    /// Finds the tool of a call that waits for a verdict.
    async fn find_waiting(&self, tool: &str) -> Result<Found, ToolError> {
        let found = self.inner.find(tool).await;
        found.map_err(|error| match error {
            ToolError::Unknown { .. } => ToolError::invalid("the toolbox no longer has its tool"),
            // the source may respond again later
            error => error,
        })
    }
}
