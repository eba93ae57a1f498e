//! Turns that start with a verdict on a call.

use super::outcome;
use super::outlet::{HistoryChange, Outlet};
use super::running::{CallResult, CallStep, RunningCall};
use super::{Flow, TurnTask};
use crate::history::groups;
use crate::keeper::{Recording, StepKeeper};
use crate::{CallPart, ChatError, Decided, Event, Message, PendingCall, Stop};
use serde_json::{Value, json};
use skill_agent_schema::canonical_text;
use skill_agent_server::__private::{catch_async, hex};
use skill_agent_server::{Applied, ProgressSender, Verdict};
use skill_agent_toolbox::__private::ToolKind;
use skill_agent_toolbox::{ListedTool, PendingInside, ToolError, ToolOutput, ToolSession};
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
            let (asked, id) = (call.id.clone(), call.call.clone());
            let before = open_calls(&self.history);
            let (ended, has_begun) = self.verdict(call, verdict, outlet).await?;
            let result = match ended {
                Ok(result) => result,
                Err(stop) => {
                    // a call that has not begun is still waiting and can be decided again
                    if has_begun && let Some(call) = self.call_with_id(&id) {
                        let result = Err(outcome::interrupted(&call.call.name, stop));
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
                    self.record_last(None).await?;
                    self.emit_decided(&id, outlet).await;
                }
                return Err(ChatError::Decision { id: asked, reason });
            }
            let is_aborted = matches!(result, Err(ToolError::Aborted { .. }));
            self.replace(&id, result, outlet).await?;
            self.pending = open_calls(&self.history);
            if is_aborted {
                return Ok(Flow::End(Stop::Aborted));
            }
            for call in &self.pending {
                // these calls are inside a call that continued after its verdict
                if !before.iter().any(|earlier| earlier.id == call.id) {
                    outlet.emit(Event::Approval(Box::new(call.clone()))).await;
                }
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
        let (interruption, id) = (&self.interruption, &call.call);
        let part = self.call_with_id(id).cloned();
        let name = part.as_ref().map_or("", |part| &part.call.name);
        let listed = tokio::select! {
            biased;
            stop = interruption.wait() => return Ok((Err(stop), false)),
            listed = self.listed(name) => listed,
        };
        let has_begun = Arc::new(AtomicBool::new(false));
        // the call's result in the history if the turn is dropped
        let dropped = Err(outcome::interrupted(name, Stop::Cancelled));
        let is_kept = self.setup.keeper.is_some();
        // without a keeper, an async action that was interrupted waits again
        let runs_once = is_kept
            || listed
                .as_ref()
                .is_none_or(|tool| tool.kind != ToolKind::AsyncAction);
        let message = self.last_with(id, &dropped).filter(|_| runs_once);
        let inside = self.pending_inside(id);
        let (fail, mut failed) = oneshot::channel();
        let begins = Begins {
            id: id.clone(),
            message,
            keeper: self.setup.keeper.clone(),
            fail,
            outlet: outlet.clone(),
            has_begun: Arc::clone(&has_begun),
        };
        let mut running = RunningCall::new(listed.map(|listed| listed.kind), |progress| {
            let session = Arc::clone(&self.setup.session);
            let decided = decide(session, call, inside, verdict, progress, begins.run());
            let decided = self.ledger.clone().scope(decided);
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

    /// Returns the approval requests of the calls inside a call.
    fn pending_inside(&self, id: &str) -> Option<PendingInside> {
        let mut results = self.history.last()?.results();
        match &results.find(|part| part.id == id)?.result {
            Err(ToolError::PendingInside(pending)) => Some((**pending).clone()),
            _ => None,
        }
    }

    /// Returns a copy of the last message with a different result for one call.
    fn last_with(&self, id: &str, result: &CallResult) -> Option<Message> {
        let [.., calls, last] = self.history.as_slice() else {
            return None;
        };
        let mut last = last.clone();
        for part in last.results_mut().filter(|part| part.id == id) {
            part.result.clone_from(result);
            part.calls_checksum = checksum(calls, id, result);
        }
        Some(last)
    }

    /// Replaces the result of a call in the last message.
    async fn replace(
        &mut self,
        id: &str,
        mut result: CallResult,
        outlet: &Outlet,
    ) -> Result<(), ChatError> {
        let loaded = result.as_mut().ok().and_then(ToolOutput::take_loaded);
        let (call, replaced) = (self.call_with_id(id).cloned(), self.last_with(id, &result));
        let last = Arc::make_mut(&mut self.history).last_mut();
        if let (Some(call), Some(last), Some(replaced)) = (call, last, replaced) {
            *last = replaced;
            let loads = loaded.map(|group| groups::of_call(&call, group));
            self.note_loads(loads.into_iter().collect());
            self.record_last(Some(&call)).await?;
            let called = outcome::called(&call, result, Vec::new());
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
    outlet.emit_with(event, Some(change)).await;
}

/// Records in the history, before a call runs, that the call may have run. If the stream is dropped, this record stays.
struct Begins {
    id: String,
    /// The new last message of the history, or `None` to record nothing.
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
            // in a task, so that a cancellation cannot interrupt the recording
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
        outlet.emit(outcome::progress(call, value)).await;
    }
}

async fn decide(
    session: Arc<ToolSession>,
    PendingCall { id, request, .. }: PendingCall,
    inside: Option<PendingInside>,
    verdict: Verdict,
    progress: Option<ProgressSender>,
    begins: impl Future<Output = ()> + Send,
) -> CallResult {
    let tool = request.tool.name.clone();
    let decided = async {
        match &inside {
            Some(pending) => {
                let decided =
                    session.carry_out_inside(pending, &request.id, verdict, progress, begins);
                decided.await
            }
            None => session.carry_out(request, verdict, progress, begins).await,
        }
    };
    let decided = catch_async(Box::pin(decided)).await;
    decided.unwrap_or_else(|message| {
        tracing::error!(tool, id, %message, "a tool panicked");
        Err(outcome::panicked(&tool))
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
        .flat_map(|part| outcome::pending(&part.id, &part.result))
        .collect()
}

/// Returns whether the message with the waiting call has not changed since the approver was asked.
pub(crate) fn is_unchanged(history: &[Message], waiting: &PendingCall) -> bool {
    let [.., calls, results] = history else {
        return false;
    };
    let mut results = results.results();
    let result = results.find(|result| result.id == waiting.call);
    result.is_some_and(|result| {
        let expected = checksum(calls, &result.id, &result.result);
        expected.is_some() && result.calls_checksum == expected
    })
}

/// Returns a checksum of the message with a waiting call, the call's id and the id of its approval request. Returns `None` for a
/// call that does not wait. The checksum shows whether a request was exchanged for another. It ignores the order of keys, because a
/// store may change the order.
pub(super) fn checksum(calls: &Message, id: &str, result: &CallResult) -> Option<String> {
    let waits_for = match result {
        Err(ToolError::Pending(request)) => json!(request.id),
        Err(ToolError::PendingInside(pending)) => json!(pending.request.id),
        _ => return None,
    };
    let text = canonical_text(&json!([calls, id, waits_for]));
    let hash = hmac_sha256::Hash::hash(text.as_bytes());
    Some(hex(&hash[..16]))
}
