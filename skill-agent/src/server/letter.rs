//! What lies in a mailbox: a signal, or a question whose memory goes back with its answer.

use super::ask::Asked;
use super::owner::Owner;
use skill_core::Agent;

/// A message: what is to be done with the owner of an agent.
pub(crate) trait Letter<G: Agent>: Send {
    /// Does it.
    fn open(self: Box<Self>, owner: &mut Owner<G>);
}

/// A message in a mailbox.
pub(crate) type Message<G> = Box<dyn Letter<G>>;

impl<G: Agent, W: FnOnce(&mut Owner<G>) + Send> Letter<G> for W {
    fn open(self: Box<Self>, owner: &mut Owner<G>) {
        self(owner);
    }
}

/// A question. It goes back empty with its answer, so that who asked frees what they allocated: memory that one thread
/// allocates and another frees took a twentieth of a call.
pub(crate) struct Question<W, T, E> {
    content: Option<(W, Asked<T, E>)>,
}

impl<W, T, E> Question<W, T, E> {
    pub(crate) fn new(work: W, asked: Asked<T, E>) -> Box<Self> {
        let content = Some((work, asked));
        Box::new(Self { content })
    }
}

impl<G, W, T, E> Letter<G> for Question<W, T, E>
where
    G: Agent,
    W: FnOnce(&mut Owner<G>, Asked<T, E>) + Send + 'static,
    T: Send + 'static,
    E: Send + 'static,
{
    fn open(mut self: Box<Self>, owner: &mut Owner<G>) {
        if let Some((work, mut asked)) = self.content.take() {
            asked.put_in(self);
            work(owner, asked);
        }
    }
}
