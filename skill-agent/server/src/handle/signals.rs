//! Signals to and from a server.

use super::AgentServer;
use crate::error::{SendError, SignalError, because};
use crate::lifecycle::running::{ServerId, ensure_not_awaited};
use crate::lifecycle::shared::Shared;
use crate::mailbox::message::{BoxEnvelope, signal_envelope};
use crate::mailbox::{Reached, ResponseFuture};
use crate::owner::is_reserved;
use crate::signals::subscription::Subscription;
use serde_json::Value;
use skill_core::routing::PatternError;
use skill_core::{Pattern, Signal};
use std::sync::Arc;
use tokio::sync::mpsc::error::TrySendError;

impl<G> AgentServer<G> {
    /// Sends a signal and waits for the response: the data of the first reply. If there is no reply, the response depends on the
    /// instructions of the signal. It is the output of a single instruction, an array of the outputs of several instructions in
    /// route order, or `null` without an instruction.
    ///
    /// # Errors
    /// Returns an error if no skill handles the signal, or if a hook or an action fails. The agent is then unchanged.
    pub fn request(&self, signal: Signal) -> ResponseFuture<'_, G, Value, SignalError> {
        let caller = self.caller.clone();
        let has_key = signal.source().is_some() && signal.id().is_some();
        let response = self.exchange(move |owner, responder| {
            owner.outside_signal(signal, Some(responder), caller);
        });
        if has_key {
            response.with_key()
        } else {
            response
        }
    }

    /// Sends a signal without waiting for the response, but waits for room if the mailbox is full. If handling the signal fails,
    /// the error policy applies.
    ///
    /// # Errors
    /// Returns [`SendError::Stopped`] if the server has stopped, [`SendError::Refused`] for a signal without a type or with a
    /// reserved one, and [`SendError::Deadlock`] if the mailbox is full and the server is waiting for the code that sends the
    /// signal.
    pub async fn send(&self, signal: Signal) -> Result<(), SendError> {
        let envelope = self.signal_envelope(signal)?;
        let server = match self.mailbox.reach(&self.shared) {
            Ok(server) => server,
            Err(asleep) => Reached::Woken(Arc::clone(asleep).wake().await?),
        };
        let envelope = match server.mailbox().try_send(envelope) {
            Ok(()) => return Ok(()),
            Err(TrySendError::Closed(_)) => return Err(stopped(server.shared())),
            Err(TrySendError::Full(envelope)) => envelope,
        };
        ensure_not_awaited(ServerId::of(server.shared())).map_err(SendError::Deadlock)?;
        let sent = server.mailbox().send(envelope).await;
        sent.map_err(|_| stopped(server.shared()))
    }

    /// Like [`send`](Self::send), but returns an error if the mailbox is full, or if the agent sleeps.
    ///
    /// # Errors
    /// Returns the same errors as [`send`](Self::send), [`SendError::Full`], and [`SendError::NotAwake`].
    pub fn try_send(&self, signal: Signal) -> Result<(), SendError> {
        let envelope = self.signal_envelope(signal)?;
        let Ok(server) = self.mailbox.reach(&self.shared) else {
            let reason = "it sleeps, and only `send` wakes it".into();
            return Err(SendError::NotAwake { reason });
        };
        let sent = server.mailbox().try_send(envelope);
        sent.map_err(|error| match error {
            TrySendError::Full(_) => SendError::Full,
            TrySendError::Closed(_) => stopped(server.shared()),
        })
    }

    fn signal_envelope(&self, signal: Signal) -> Result<BoxEnvelope, SendError> {
        if signal.ty().is_empty() {
            return Err(SendError::Refused("its type is empty".into()));
        }
        if is_reserved(signal.ty()) {
            let ty = signal.ty().to_owned();
            let reason = SignalError::Reserved { ty }.to_string();
            return Err(SendError::Refused(reason.into()));
        }
        Ok(signal_envelope(signal, self.caller.clone()))
    }

    /// Subscribes to signals with a matching type that the agent emits from now on. Signals that the agent receives are not
    /// included.
    ///
    /// In a pattern, `*` is one segment, and `**` is any number of segments. `notes.*` matches `notes.added`; only `**` matches
    /// all types.
    ///
    /// # Errors
    /// Returns an error if the pattern is invalid.
    pub fn subscribe<P>(&self, pattern: P) -> Result<Subscription, PatternError>
    where
        P: TryInto<Pattern, Error: Into<PatternError>>,
    {
        let pattern = pattern.try_into().map_err(Into::into)?;
        let shared = &self.shared;
        (shared.agent.warn_of_pattern)(&shared.pattern_warnings, pattern.as_str());
        Ok(shared.hub.subscribe(pattern, shared.subscription))
    }
}

fn stopped(server: &Shared) -> SendError {
    let reason = server.stop_reason();
    let reason = Some(because(reason.as_ref())).filter(|reason| !reason.is_empty());
    SendError::Stopped { reason }
}
