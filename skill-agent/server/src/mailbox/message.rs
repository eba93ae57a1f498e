//! The messages in the mailbox.

use super::any_owner::AnyOwner;
use super::responder::Responder;
use crate::progress::ProgressSender;
use skill_core::{Caller, Signal};
use std::sync::Arc;

/// A message to the server task.
pub(crate) trait Envelope: Send {
    /// Runs the message on the owner.
    fn run_on(self: Box<Self>, owner: &mut dyn AnyOwner);

    /// Records that the message comes from an async action that is running under `key`.
    fn sent_under(&mut self, key: Arc<str>) {
        let _ = key;
    }

    /// Sets where to send the command's progress.
    fn report_to(&mut self, progress: ProgressSender) {
        drop(progress);
    }
}

/// A boxed message.
pub(crate) type BoxEnvelope = Box<dyn Envelope>;

impl<W: FnOnce(&mut dyn AnyOwner) + Send> Envelope for W {
    fn run_on(self: Box<Self>, owner: &mut dyn AnyOwner) {
        self(owner);
    }
}

/// Wraps a signal whose sender does not wait for a response.
pub(crate) fn signal_envelope(signal: Signal, caller: Caller) -> BoxEnvelope {
    Box::new(move |owner: &mut dyn AnyOwner| owner.outside_signal(signal, None, caller))
}

/// A request and its responder.
///
/// The response sends this box back, so that it is freed on the thread that allocated it. Freeing it on the server's thread would
/// cost about 5% of a call.
pub(crate) struct MailboxRequest<W, T, E> {
    content: Option<(W, Responder<T, E>)>,
}

impl<W, T, E> MailboxRequest<W, T, E> {
    pub(crate) fn new(work: W, responder: Responder<T, E>) -> Box<Self> {
        let content = Some((work, responder));
        Box::new(Self { content })
    }
}

impl<W, T, E> Envelope for MailboxRequest<W, T, E>
where
    W: FnOnce(&mut dyn AnyOwner, Responder<T, E>) + Send + 'static,
    T: Send + 'static,
    E: Send + 'static,
{
    fn run_on(mut self: Box<Self>, owner: &mut dyn AnyOwner) {
        if let Some((work, mut responder)) = self.content.take() {
            responder.recycle(self);
            work(owner, responder);
        }
    }

    fn sent_under(&mut self, key: Arc<str>) {
        if let Some((_, responder)) = &mut self.content {
            responder.sent_under = Some(Box::new(key));
        }
    }

    fn report_to(&mut self, progress: ProgressSender) {
        if let Some((_, responder)) = &mut self.content {
            responder.progress = Some(progress);
        }
    }
}
