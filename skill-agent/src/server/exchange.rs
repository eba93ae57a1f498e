//! How a handle asks the task of its server, and for how long it waits.

use super::ask::{Answer, Asked, Ticket};
use super::guard::Caller;
use super::letter::{Message, Question};
use super::owner::Owner;
use super::{AgentServer, ServeError};
use skill_core::{Agent, Signal};
use tokio::sync::mpsc::error::TrySendError;

impl<G: Agent> AgentServer<G> {
    /// Puts a question into the mailbox and waits for the answer, as long as there is time.
    pub(super) async fn exchange<T, E>(
        &self,
        work: impl FnOnce(&mut Owner<G>, Asked<T, E>) + Send + 'static,
    ) -> Result<T, ServeError<E>>
    where
        T: Send + 'static,
        E: Send + 'static,
    {
        let Some(time) = self.deadline else {
            let (asked, answered) = Asked::new(None);
            self.put(Question::new(work, asked)).await?;
            return Answer::read(answered.await);
        };
        let ticket = Ticket::new(self.shared.clock.now() + time);
        let (asked, mut answered) = Asked::new(Some(ticket.clone()));
        let asking = async {
            self.put(Question::new(work, asked)).await?;
            Answer::read((&mut answered).await)
        };
        tokio::select! {
            biased;
            answer = asking => return answer,
            () = self.shared.clock.sleep(time) => {}
        }
        match ticket.give_up() {
            true => Err(ServeError::Deadline { applied: false }),
            // it is being recorded, and the store says in a moment whether it was
            false => Answer::read(answered.await),
        }
    }

    /// Puts a message into the mailbox, and waits only where there is no room: a wait costs more than the message.
    async fn put<E>(&self, message: Message<G>) -> Result<(), ServeError<E>> {
        match self.mailbox.try_send(message) {
            Ok(()) => Ok(()),
            Err(TrySendError::Closed(_)) => Err(ServeError::Stopped),
            Err(TrySendError::Full(message)) => {
                let sent = self.mailbox.send(message).await;
                sent.map_err(|_| ServeError::Stopped)
            }
        }
    }
}

/// A signal that nobody waits for.
pub(crate) fn signal_letter<G: Agent>(signal: Signal, caller: Caller) -> Message<G> {
    Box::new(move |owner: &mut Owner<G>| owner.signal(signal, None, caller, Default::default()))
}
