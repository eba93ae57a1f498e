//! Calls by name, and decisions on deferred approval requests.

use super::AgentServer;
use crate::guard::{ApprovalRequest, Ruling, Verdict};
use crate::idempotency::GivenKey;
use crate::mailbox::ResponseFuture;
use crate::preview::{Preview, PreviewError};
use skill_core::CallError;

impl<G> AgentServer<G> {
    /// Runs the action with this name, with arguments and output as JSON text. For a model's tool calls, use a handle
    /// [`on_behalf_of`](Self::on_behalf_of) the model.
    ///
    /// # Errors
    /// Returns the same errors as [`call`](Self::call) and [`Agent::call_json`](skill_core::Agent::call_json).
    pub fn call_json(
        &self,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ResponseFuture<'_, G, String, CallError> {
        self.call_by_name(None, action.into(), arguments.into())
    }

    /// Like [`call_json`](Self::call_json), but runs at most once for each idempotency key, like
    /// [`call_with_key`](Self::call_with_key). Typed calls and calls by name share the keys of an action. The two forms of call
    /// encode some outputs differently, such as a map with numbers as keys. With such an output, a second call in the other form
    /// fails with [`IdempotencyMismatch`](crate::ServeError::IdempotencyMismatch).
    ///
    /// # Errors
    /// Returns the same errors as [`call_with_key`](Self::call_with_key) and [`call_json`](Self::call_json).
    pub fn call_json_with_key(
        &self,
        key: impl Into<String>,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ResponseFuture<'_, G, String, CallError> {
        let key = GivenKey::Own(key.into());
        let response = self.call_by_name(Some(key), action.into(), arguments.into());
        response.with_key()
    }

    /// Like [`call_json_with_key`](Self::call_json_with_key), but the caller makes the key unique, stores the output and then
    /// releases the key. To release the key, the caller uses [`change_rows`](Self::change_rows) if this server stores the output,
    /// and [`release`](Self::release) otherwise.
    #[doc(hidden)]
    pub fn call_json_holding(
        &self,
        key: impl Into<String>,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ResponseFuture<'_, G, String, CallError> {
        let key = GivenKey::Held(key.into());
        let response = self.call_by_name(Some(key), action.into(), arguments.into());
        response.with_key()
    }

    /// Like [`call_json`](Self::call_json), for a call that only reads. The held key names the turn of a conversation that makes the
    /// call, because the action may queue directives.
    #[doc(hidden)]
    pub fn call_json_reading(
        &self,
        key: impl Into<String>,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ResponseFuture<'_, G, String, CallError> {
        let key = GivenKey::Read(key.into());
        self.call_by_name(Some(key), action.into(), arguments.into())
    }

    fn call_by_name(
        &self,
        key: Option<GivenKey>,
        action: String,
        arguments: String,
    ) -> ResponseFuture<'_, G, String, CallError> {
        let caller = self.caller.clone();
        self.exchange(move |owner, responder| {
            owner.call_json(key, action, arguments, caller, responder);
        })
    }

    /// Carries out the verdict on a [deferred](crate::Verdict::Later) approval request. An approved action runs on behalf of the
    /// original caller, and its output is returned as JSON text.
    ///
    /// The guard is asked again, and may deny the action. A server decides a request only once: later calls return the first
    /// result, even after a restart if there is a store. The request stays undecided if the action fails, and
    /// [`Verdict::Later`](crate::Verdict::Later) defers the decision again.
    ///
    /// # Errors
    /// Returns the same errors as [`call_json`](Self::call_json). Also returns [`Denied`](crate::ServeError::Denied) or
    /// [`Aborted`](crate::ServeError::Aborted) after such a verdict, and [`InvalidRequest`](crate::ServeError::InvalidRequest) if
    /// the request was changed or was sealed with a different [secret](crate::AgentServerBuilder::approval_secret).
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

    /// Like [`preview`](Self::preview), but by name and with JSON text.
    ///
    /// # Errors
    /// Returns the same errors as [`preview`](Self::preview).
    pub fn preview_json(
        &self,
        action: impl Into<String>,
        arguments: impl Into<String>,
    ) -> ResponseFuture<'_, G, Preview, PreviewError> {
        let (action, arguments) = (action.into(), arguments.into());
        self.exchange(move |owner, responder| owner.preview_json(action, arguments, responder))
    }
}
