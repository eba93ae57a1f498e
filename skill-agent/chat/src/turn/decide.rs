//! Turns that start with a verdict on a call.

use super::calls;
use super::outlet::{HistoryChange, Outlet};
use super::running::{CallResult, CallStep, RunningCall};
use super::{Flow, TurnTask};
use crate::keeper::{Recording, StepKeeper};
use crate::{CallPart, ChatError, Decided, Event, Message, PendingCall, Stop};
use serde_json::{Value, json};
use skill_agent_schema::canonical_text;
use skill_agent_server::__private::catch_async;
use skill_agent_server::{Applied, ProgressSender, Verdict};
use skill_agent_toolbox::{ListedTool, ToolError, ToolSession};
use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::oneshot;

/// A verdict on a call in the last message of the history.
pub(crate) struct Decision {
    pub(crate) call: PendingCall,
    pub(crate) verdict: Verdict,
}

impl TurnTask {
    /// Carries out the turn's verdict, and ends the turn if other calls are still waiting.
    pub(super) async fn decide(&mut self, outlet: &Outlet) -> Result<Flow, ChatError> {
        if let Some(Decision { call, verdict }) = self.decision.take() {
            let (id, tool) = (call.id.clone(), call.request.tool.name.clone());
            let (ended, has_begun) = self.verdict(call, verdict, outlet).await?;
            let result = match ended {
                Ok(result) => result,
                Err(stop) => {
                    // otherwise the call is still waiting and can be decided again
                    if has_begun {
                        let result = Err(calls::interrupted(&tool, stop));
                        self.replace(&id, result, outlet).await?;
                    }
                    self.pending = open_calls(&self.history);
                    return Ok(Flow::End(stop));
                }
            };
            if let Err(error) = &result
                && let Some(reason) = undecided(error, has_begun)
            {
                if has_begun {
                    self.emit_decided(&id, outlet).await;
                }
                return Err(ChatError::Decision { id, reason });
            }
            let is_aborted = matches!(result, Err(ToolError::Aborted { .. }));
            self.replace(&id, result, outlet).await?;
            if is_aborted {
                self.pending = open_calls(&self.history);
                return Ok(Flow::End(Stop::Aborted));
            }
        }
        self.pending = open_calls(&self.history);
        if let Some(stop) = self.ended_by_layer()? {
            return Ok(Flow::End(stop));
        }
        Ok(if self.pending.is_empty() {
            Flow::Continue
        } else {
            Flow::End(Stop::Approval)
        })
    }

    /// Carries out a verdict and emits the call's progress. Returns the call's result, or why it was interrupted, and whether a
    /// source has started to run the call. Once a source has started, the call counts as decided and may have taken effect, and
    /// the chat's history says so.
    async fn verdict(
        &self,
        call: PendingCall,
        verdict: Verdict,
        outlet: &Outlet,
    ) -> Result<(Result<CallResult, Stop>, bool), ChatError> {
        let (interruption, name) = (&self.interruption, &call.request.tool.name);
        let listed = tokio::select! {
            biased;
            stop = interruption.wait() => return Ok((Err(stop), false)),
            listed = self.listed(name) => listed,
        };
        let part = self.call_with_id(&call.id).cloned();
        let has_begun = Arc::new(AtomicBool::new(false));
        // the last message of the history in case the turn is dropped
        let dropped = Err(calls::interrupted(name, Stop::Cancelled));
        let message = self.last_with(&call.id, &dropped);
        let (fail, mut failed) = oneshot::channel();
        let begins = Begins {
            id: call.id.clone(),
            message,
            keeper: self.setup.keeper.clone(),
            fail,
            outlet: outlet.clone(),
            has_begun: Arc::clone(&has_begun),
        };
        let mut running = RunningCall::new(listed.map(|listed| listed.kind), |progress| {
            let session = Arc::clone(&self.setup.session);
            let decided = decide(session, call, verdict, progress, begins.run());
            let (layered, part) = (self.results.clone(), part.clone());
            Box::pin(async move { layered.pass(part, decided.await).await })
        });
        let stop = loop {
            let step = tokio::select! {
                biased;
                stop = interruption.wait() => break stop,
                Ok(error) = &mut failed, if !failed.is_terminated() => return Err(error),
                step = poll_fn(|cx| running.poll_next(cx)) => step,
            };
            match step {
                CallStep::Progress(value) => emit_progress(part.as_ref(), value, outlet).await,
                CallStep::Ended(result) => {
                    return Ok((Ok(result), has_begun.load(Ordering::Relaxed)));
                }
            }
        };
        let (values, result) = running.cancel();
        for value in values {
            emit_progress(part.as_ref(), value, outlet).await;
        }
        Ok((result.ok_or(stop), has_begun.load(Ordering::Relaxed)))
    }

    /// Returns the listed tool with this name.
    async fn listed(&self, name: &str) -> Option<Arc<ListedTool>> {
        let list = self.setup.session.list().await;
        let mut tools = list.tools.iter();
        tools.find(|listed| listed.tool.name == name).cloned()
    }

    /// Returns the call whose result is in the last message.
    fn call_with_id(&self, id: &str) -> Option<&CallPart> {
        let [.., message, _] = self.history.as_slice() else {
            return None;
        };
        message.calls().find(|call| call.id == id)
    }

    /// Returns a copy of the last message with a different result for one call.
    fn last_with(&self, id: &str, result: &CallResult) -> Option<Message> {
        let mut last = self.history.last()?.clone();
        for part in last.results_mut().filter(|part| part.id == id) {
            part.result.clone_from(result);
        }
        Some(last)
    }

    /// Replaces the result of a call in the last message.
    async fn replace(
        &mut self,
        id: &str,
        result: CallResult,
        outlet: &Outlet,
    ) -> Result<(), ChatError> {
        let (call, replaced) = (self.call_with_id(id).cloned(), self.last_with(id, &result));
        let last = Arc::make_mut(&mut self.history).last_mut();
        if let (Some(call), Some(last), Some(replaced)) = (call, last, replaced) {
            *last = replaced;
            self.record_last(&call.call.name, id).await?;
            #[cfg(feature = "documents")]
            if result.is_ok() {
                self.activations.keep();
            }
            let called = calls::called(&call, result, Vec::new());
            self.calls.push(called.clone());
            self.emit_decided(id, outlet).await;
            outlet.emit(Event::Called(called)).await;
        }
        Ok(())
    }

    /// Puts the last message into the chat's history.
    async fn emit_decided(&self, id: &str, outlet: &Outlet) {
        if let Some(last) = self.history.last() {
            emit_decided(id, last.clone(), outlet).await;
        }
    }
}

async fn emit_decided(id: &str, message: Message, outlet: &Outlet) {
    let change = HistoryChange::ReplaceLast(message.clone());
    let id = id.to_owned();
    let event = Event::Decided(Decided { id, message });
    outlet.emit_with(event, change).await;
}

/// Records in the history, before a call runs, that the call may have run. If the stream is dropped, this record stays.
struct Begins {
    id: String,
    /// The new last message of the history. An empty history has none.
    message: Option<Message>,
    keeper: Option<Arc<dyn StepKeeper>>,
    /// Gets the error if the message cannot be recorded. The call does not run then.
    fail: oneshot::Sender<ChatError>,
    outlet: Outlet,
    has_begun: Arc<AtomicBool>,
}

impl Begins {
    async fn run(self) {
        let Some(message) = self.message else {
            return;
        };
        self.has_begun.store(true, Ordering::Relaxed);
        if let Some(keeper) = self.keeper {
            let recorded = message.clone();
            // in a task, because a cancellation must not leave half of it
            let written =
                tokio::spawn(async move { keeper.replace_last(Recording::of(&recorded)).await });
            if let Err(error) = written.await.unwrap_or(Err(ChatError::Ended)) {
                let _ = self.fail.send(error);
                return std::future::pending().await;
            }
        }
        emit_decided(&self.id, message, &self.outlet).await;
    }
}

async fn emit_progress(call: Option<&CallPart>, value: Value, outlet: &Outlet) {
    if let Some(call) = call {
        outlet.emit(calls::progress(call, value)).await;
    }
}

async fn decide(
    session: Arc<ToolSession>,
    call: PendingCall,
    verdict: Verdict,
    progress: Option<ProgressSender>,
    begins: impl Future<Output = ()> + Send,
) -> CallResult {
    let PendingCall { id, request } = call;
    let tool = request.tool.name.clone();
    let decided = session.carry_out(request, verdict, progress, begins);
    let decided = catch_async(Box::pin(decided)).await;
    decided.unwrap_or_else(|message| {
        tracing::error!(tool, id, %message, "a tool panicked");
        Err(calls::panicked(&tool))
    })
}

/// Returns why a verdict was not carried out, if the call is still waiting. A server that does not respond may have carried out
/// the verdict. With a store, the server decides a request only once, so it is safe to ask again. Without a store, the server has
/// lost its state, and your own code decides what to do.
fn undecided(error: &ToolError, has_begun: bool) -> Option<String> {
    match error {
        ToolError::InvalidRequest { reason, .. } | ToolError::Restricted { reason, .. } => {
            Some(reason.clone())
        }
        ToolError::Unavailable {
            applied: Applied::No,
            ..
        } => Some(error.to_string()),
        ToolError::Unavailable { .. } if !has_begun => {
            tracing::warn!(%error, "a server does not answer to a verdict");
            Some(
                "its server has not answered, and the call has perhaps begun; decided again, it may run a second time unless the server has a store"
                    .to_owned(),
            )
        }
        _ => None,
    }
}

/// Returns the calls waiting for approval at the end of a history.
pub fn open_calls(history: &[Message]) -> Vec<PendingCall> {
    let last = history.last();
    let results = last.into_iter().flat_map(Message::results);
    results
        .filter_map(|part| calls::pending(&part.id, &part.result))
        .collect()
}

/// Returns whether the message with the waiting call has not changed since the approver was asked.
pub(crate) fn is_unchanged(history: &[Message], id: &str) -> bool {
    let [.., calls, results] = history else {
        return false;
    };
    let result = results.results().find(|result| result.id == id);
    let expected = result.and_then(|result| result.calls_checksum.as_ref());
    let request = result.and_then(|result| calls::pending(id, &result.result));
    let (Some(expected), Some(waiting)) = (expected, request) else {
        return false;
    };
    *expected == checksum(calls, &waiting)
}

/// Returns a checksum of the message with a waiting call and of the ids of the call and the request, so that one request cannot
/// be passed off as another. Does not depend on the order of keys, because a store may change it.
pub(super) fn checksum(calls: &Message, waiting: &PendingCall) -> String {
    let text = canonical_text(&json!([calls, waiting.id, waiting.request.id]));
    let hash = hmac_sha256::Hash::hash(text.as_bytes());
    hash[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
