//! The messages in a mailbox.

use super::responder::Responder;
use crate::server::owner::Owner;
use skill_core::{Agent, Caller, Signal};

/// A message to the task that owns an agent.
pub(crate) trait Envelope<G: Agent>: Send {
    /// Runs the message on the owner.
    fn deliver_to(self: Box<Self>, owner: &mut Owner<G>);
}

/// A message as the mailbox holds it.
pub(crate) type BoxEnvelope<G> = Box<dyn Envelope<G>>;

impl<G: Agent, W: FnOnce(&mut Owner<G>) + Send> Envelope<G> for W {
    fn deliver_to(self: Box<Self>, owner: &mut Owner<G>) {
        self(owner);
    }
}

/// Wraps a signal whose sender does not wait for a response.
pub(crate) fn signal_envelope<G: Agent>(signal: Signal, caller: Caller) -> BoxEnvelope<G> {
    Box::new(move |owner: &mut Owner<G>| owner.signal(signal, None, caller, Default::default()))
}

/// A request with its responder.
///
/// Its allocation travels back with the response, and the requesting thread frees it: allocating on one thread and freeing
/// on another took a twentieth of the time of a call.
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
    fn deliver_to(mut self: Box<Self>, owner: &mut Owner<G>) {
        if let Some((work, mut responder)) = self.content.take() {
            responder.recycle(self);
            work(owner, responder);
        }
    }
}
