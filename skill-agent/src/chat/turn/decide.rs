//! A turn that begins with the verdict on a call.

use super::calls;
use super::outlet::{HistoryChange, Outlet};
use super::running::{CallResult, CallStep, RunningCall};
use super::{Flow, TurnTask};
use crate::chat::{CallPart, ChatError, Event, Message, PendingCall, Stop};
use crate::panics::catch_async;
use crate::server::{Applied, ApprovalRequest, ProgressSender, Verdict};
use crate::toolbox::{ListedTool, ToolError, ToolSession};
use serde_json::{Value, json};
use skill_core::process::canonical_text;
use std::future::poll_fn;
use std::sync::Arc;

/// A verdict on a call in the last message of the history.
pub(in crate::chat) struct Decision {
    pub(in crate::chat) call: PendingCall,
    pub(in crate::chat) verdict: Verdict,
}

impl TurnTask {
    /// Carries out the verdict with which the turn begins. The turn ends if calls still wait.
    pub(super) async fn decide(&mut self, outlet: &Outlet) -> Result<Flow, ChatError> {
        if let Some(Decision { call, verdict }) = self.decision.take() {
            let (id, tool) = (call.id.clone(), call.request.tool.name.clone());
            let result = match self.verdict(call, verdict, outlet).await {
                Ok(result) => result,
                Err(interrupted) => {
                    // otherwise the call still waits, and can be decided again
                    if interrupted.may_have_run {
                        let result = Err(calls::interrupted(tool, interrupted.stop));
                        self.replace(&id, result, outlet).await;
                    }
                    self.pending = open_calls(&self.history);
                    return Ok(Flow::End(interrupted.stop));
                }
            };
            if let Err(error) = &result
                && let Some(reason) = undecided(error)
            {
                return Err(ChatError::Decision { id, reason });
            }
            let is_aborted = matches!(result, Err(ToolError::Aborted { .. }));
            self.replace(&id, result, outlet).await;
            if is_aborted {
                self.pending = open_calls(&self.history);
                return Ok(Flow::End(Stop::Aborted));
            }
        }
        self.pending = open_calls(&self.history);
        Ok(if self.pending.is_empty() {
            Flow::Continue
        } else {
            Flow::End(Stop::Approval)
        })
    }

    /// Carries out a verdict, and emits the progress of the call. A call of a source is decided once, and may have run from then on.
    async fn verdict(
        &self,
        call: PendingCall,
        verdict: Verdict,
        outlet: &Outlet,
    ) -> Result<CallResult, Interrupted> {
        let interruption = &self.interruption;
        let listed = tokio::select! {
            biased;
            stop = interruption.wait() => return Err(Interrupted { stop, may_have_run: false }),
            listed = self.listed(&call.request.tool.name) => listed,
        };
        let part = self.call_with_id(&call.id).cloned();
        let may_have_run = listed
            .as_deref()
            .is_some_and(|listed| is_of_source(listed, &call.request));
        let mut running = RunningCall::new(listed.map(|listed| listed.kind), |progress| {
            let session = Arc::clone(&self.setup.session);
            Box::pin(decide(session, call, verdict, progress))
        });
        let stop = loop {
            let step = tokio::select! {
                biased;
                stop = interruption.wait() => break stop,
                step = poll_fn(|cx| running.poll_next(cx)) => step,
            };
            match step {
                CallStep::Progress(value) => emit_progress(part.as_ref(), value, outlet).await,
                CallStep::Ended(result) => return Ok(result),
            }
        };
        let (values, result) = running.cancel();
        for value in values {
            emit_progress(part.as_ref(), value, outlet).await;
        }
        result.ok_or(Interrupted { stop, may_have_run })
    }

    /// The tool with a name.
    async fn listed(&self, name: &str) -> Option<Arc<ListedTool>> {
        let list = self.setup.session.list().await;
        let mut tools = list.tools.iter();
        tools.find(|listed| listed.tool.name == name).cloned()
    }

    /// The call whose result is in the last message.
    fn call_with_id(&self, id: &str) -> Option<&CallPart> {
        let [.., message, _] = self.history.as_slice() else {
            return None;
        };
        message.calls().find(|call| call.id == id)
    }

    /// Replaces the result of a call in the last message.
    async fn replace(&mut self, id: &str, result: CallResult, outlet: &Outlet) {
        let call = self.call_with_id(id).cloned();
        let Some(last) = Arc::make_mut(&mut self.history).last_mut() else {
            return;
        };
        for part in last.results_mut().filter(|part| part.id == id) {
            part.result = result.clone();
        }
        let last = last.clone();
        if let Some(call) = call {
            let called = calls::called(&call, result);
            self.calls.push(called.clone());
            let change = Some(HistoryChange::ReplaceLast(last));
            outlet.emit_with(Event::Called(called), change).await;
        }
    }
}

/// The interruption of a verdict.
struct Interrupted {
    stop: Stop,
    may_have_run: bool,
}

/// Whether the toolbox decides on a request, and not the server whose action it is for. The skill and the action of such a request are
/// the source and the tool.
fn is_of_source(listed: &ListedTool, request: &ApprovalRequest) -> bool {
    // an agent may have the name of its skill
    let names_source = request.skill == listed.source && request.action == listed.tool.name;
    names_source && !listed.kind.is_action()
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
) -> CallResult {
    let PendingCall { id, request } = call;
    let tool = request.tool.name.clone();
    let decided = async {
        match progress {
            Some(progress) => {
                let decided = session.decide_with_progress(request, verdict, progress);
                decided.await
            }
            None => session.decide(request, verdict).await,
        }
    };
    let decided = catch_async(Box::pin(decided)).await;
    decided.unwrap_or_else(|message| {
        tracing::error!(tool, id, %message, "a tool panicked");
        Err(calls::panicked(tool))
    })
}

/// Why a verdict was not carried out, so that the call still waits.
fn undecided(error: &ToolError) -> Option<String> {
    match error {
        ToolError::InvalidRequest { reason } | ToolError::Restricted { reason, .. } => {
            Some(reason.clone())
        }
        ToolError::Unavailable {
            applied: Applied::No,
            ..
        } => Some(error.to_string()),
        _ => None,
    }
}

/// The calls at the end of a history that wait for approval.
pub(in crate::chat) fn open_calls(history: &[Message]) -> Vec<PendingCall> {
    let last = history.last();
    let results = last.into_iter().flat_map(Message::results);
    results
        .filter_map(|part| calls::pending(&part.id, &part.result))
        .collect()
}

/// Whether the message with a call that waits for approval is as it was when the approver was asked.
pub(in crate::chat) fn is_unchanged(history: &[Message], id: &str) -> bool {
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

/// A checksum of a message with a call that waits, and of the ids of call and request, so that a request cannot be put in the place of
/// another. It does not depend on the order of keys in a store.
pub(super) fn checksum(calls: &Message, waiting: &PendingCall) -> String {
    let text = canonical_text(&json!([calls, waiting.id, waiting.request.id]));
    let hash = hmac_sha256::Hash::hash(text.as_bytes());
    hash[..16]
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
