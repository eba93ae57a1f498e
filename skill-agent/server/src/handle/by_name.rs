//! Calls by name, and decisions on calls that wait for approval.

use super::AgentServer;
use crate::guard::{ApprovalRequest, Ruling, Verdict};
use crate::mailbox::ResponseFuture;
use crate::owner::{Arguments, JsonCommand};
use crate::preview::{Preview, PreviewError};
use skill_core::{Agent, CallError};

impl<G: Agent> AgentServer<G> {
    /// Runs an action by name on the JSON text of its arguments, and returns JSON text. For the tool calls of a model, use a
    /// handle [`on_behalf_of`](Self::on_behalf_of) the model.
    ///
    /// # Errors
    /// As [`call`](Self::call), with the errors of [`Agent::call_json`].
    pub fn call_json(
        &self,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ResponseFuture<'_, G, String, CallError> {
        let command = self.json_command(action.into(), arguments.into());
        self.exchange(move |owner, responder| owner.submit(command, responder))
    }

    /// Like [`call_json`](Self::call_json), at most once for each idempotency key, as [`call_with_key`](Self::call_with_key). A key
    /// is the same for typed calls of the action and for calls by name; an output that the two forms write differently, such as a map
    /// with numbers as keys, is [`IdempotencyMismatch`](crate::ServeError::IdempotencyMismatch) in the other form.
    ///
    /// # Errors
    /// Those of [`call_with_key`](Self::call_with_key) and [`call_json`](Self::call_json).
    pub fn call_json_with_key(
        &self,
        key: impl Into<String>,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ResponseFuture<'_, G, String, CallError> {
        let command = self.json_command(action.into(), arguments.into());
        let command = command.with_key(key.into());
        let response = self.exchange(move |owner, responder| owner.submit(command, responder));
        response.with_key()
    }

    fn json_command(&self, action: String, arguments: String) -> JsonCommand {
        JsonCommand::new(action, Arguments::Text(arguments), self.caller.clone())
    }

    /// Carries out the verdict on a [deferred](crate::Verdict::Later) approval request: an approved action runs on behalf
    /// of the caller of the request, and its output is returned as JSON text.
    ///
    /// The guard is asked again, and may deny the action. A server decides a request once: later decisions on it return the first
    /// result, with a store also after a restart. An action that fails leaves the request undecided. [`Verdict::Later`](crate::Verdict::Later) defers it again.
    ///
    /// # Errors
    /// As [`call_json`](Self::call_json); [`Denied`](crate::ServeError::Denied) and [`Aborted`](crate::ServeError::Aborted) for such a
    /// verdict, and [`InvalidRequest`](crate::ServeError::InvalidRequest) for a request that was changed or sealed with another
    /// [secret](crate::AgentServerBuilder::approval_secret).
    pub fn decide(
        &self,
        request: ApprovalRequest,
        verdict: impl Into<Verdict>,
    ) -> ResponseFuture<'_, G, String, CallError> {
        let ruling = Ruling::from(verdict.into());
        let response =
            self.exchange(move |owner, responder| owner.decide(request, ruling, responder));
        response.with_key()
    }

    /// Like [`preview`](Self::preview), by name and with JSON text.
    ///
    /// # Errors
    /// As [`preview`](Self::preview).
    pub fn preview_json(
        &self,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ResponseFuture<'_, G, Preview, PreviewError> {
        let (action, arguments) = (action.into(), Arguments::Text(arguments.into()));
        self.exchange(move |owner, responder| owner.preview(action, arguments, responder))
    }
}
