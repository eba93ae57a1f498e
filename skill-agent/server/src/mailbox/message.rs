//! The messages in the mailbox.

use super::responder::Responder;
use crate::owner::Owner;
use crate::progress::ProgressSender;
use skill_core::{Agent, Caller, Signal};
use std::sync::Arc;

/// A message to the server task.
pub(crate) trait Envelope<G: Agent>: Send {
    /// Runs the message on the owner.
    fn run_on(self: Box<Self>, owner: &mut Owner<G>);

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
pub(crate) type BoxEnvelope<G> = Box<dyn Envelope<G>>;

impl<G: Agent, W: FnOnce(&mut Owner<G>) + Send> Envelope<G> for W {
    fn run_on(self: Box<Self>, owner: &mut Owner<G>) {
        self(owner);
    }
}

/// Wraps a signal whose sender does not wait for a response.
pub(crate) fn signal_envelope<G: Agent>(signal: Signal, caller: Caller) -> BoxEnvelope<G> {
    Box::new(move |owner: &mut Owner<G>| owner.outside_signal(signal, None, caller))
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

impl<G, W, T, E> Envelope<G> for MailboxRequest<W, T, E>
where
    G: Agent,
    W: FnOnce(&mut Owner<G>, Responder<T, E>) + Send + 'static,
    T: Send + 'static,
    E: Send + 'static,
{
    fn run_on(mut self: Box<Self>, owner: &mut Owner<G>) {
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
