//! A turn that begins with the verdict on a call.

use super::calls;
use super::outlet::{Commit, Outlet};
use super::{Flow, TurnTask};
use crate::chat::{ChatError, Event, Message, MessagePart, PendingCall, Stop};
use crate::panics::catch_async;
use crate::server::{Applied, ApprovalRequest, Verdict};
use crate::toolbox::ToolError;
use serde_json::json;
use skill_core::process::canonical_text;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A verdict on a call in the last message of the history.
pub(in crate::chat) struct Decision {
    pub(in crate::chat) call: PendingCall,
    pub(in crate::chat) verdict: Verdict,
}

impl TurnTask {
    /// Carries out the verdict with which the turn begins. The turn ends if calls still wait.
    pub(super) async fn decide(&mut self, outlet: &Outlet) -> Result<Flow, ChatError> {
        if let Some(Decision { call, verdict }) = self.decision.take() {
            let id = call.id.clone();
            let interruption = self.interruption.clone();
            let may_have_run = AtomicBool::new(false);
            let decided = tokio::select! {
                biased;
                stop = interruption.wait() => Err(stop),
                result = self.verdict(call.clone(), verdict, &may_have_run) => Ok(result),
            };
            let result = match decided {
                Ok(result) => result,
                Err(stop) => {
                    // otherwise the call still waits, and can be decided again
                    if may_have_run.into_inner() {
                        let tool = call.request.tool.name;
                        let result = Err(calls::interrupted(tool, stop));
                        self.replace(&id, result, outlet).await;
                    }
                    self.pending = open_calls(&self.history);
                    return Ok(Flow::End(stop));
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

    /// Whether a request is one for a tool of a source. The skill and the action of such a request are the source and the tool.
    async fn is_foreign(&self, request: &ApprovalRequest) -> bool {
        let list = self.setup.session.list().await;
        let name = &request.tool.name;
        let listed = list.tools.iter().find(|listed| listed.tool.name == *name);
        listed.is_some_and(|listed| request.skill == listed.source && request.action == *name)
    }

    /// Carries out a verdict. A call of a source is decided once, and may have run from then on.
    async fn verdict(
        &self,
        call: PendingCall,
        verdict: Verdict,
        may_have_run: &AtomicBool,
    ) -> calls::CallResult {
        let is_foreign = self.is_foreign(&call.request).await;
        may_have_run.store(is_foreign, Ordering::Relaxed);
        let PendingCall { id, request } = call;
        let tool = request.tool.name.clone();
        let session = Arc::clone(&self.setup.session);
        let decided = catch_async(Box::pin(session.decide(request, verdict))).await;
        decided.unwrap_or_else(|message| {
            tracing::error!(tool, id, %message, "a tool panicked");
            Err(calls::panicked(tool))
        })
    }

    /// Replaces the result of a call in the last message.
    async fn replace(&mut self, id: &str, result: calls::CallResult, outlet: &Outlet) {
        let length = self.history.len();
        let call = self.history[..length.saturating_sub(1)]
            .last()
            .and_then(|message| message.calls().find(|call| call.id == id).cloned());
        let Some(last) = Arc::make_mut(&mut self.history).last_mut() else {
            return;
        };
        for part in &mut last.parts {
            if let MessagePart::Result(part) = part
                && part.id == id
            {
                part.result = result.clone();
            }
        }
        let last = last.clone();
        if let Some(call) = call {
            let called = calls::called(&call, result);
            self.calls.push(called.clone());
            let commit = Some(Commit::ReplaceLast(last));
            outlet.emit_with(Event::Called(called), commit).await;
        }
    }
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
