//! How a handle asks the task of its server, and for how long it waits.

use super::ask::{Asked, Ticket};
use super::guard::Caller;
use super::owner::{Owner, Work};
use super::{AgentServer, ServeError};
use skill_core::{Agent, Signal};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::oneshot;

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
        let (answer, mut answered) = oneshot::channel();
        let Some(time) = self.deadline else {
            let asked = Asked {
                answer,
                ticket: None,
            };
            self.put(Box::new(move |owner| work(owner, asked))).await?;
            return answered.await.unwrap_or(Err(ServeError::Stopped));
        };
        let ticket = Ticket::new(self.shared.clock.now() + time);
        let asked = Asked {
            answer,
            ticket: Some(ticket.clone()),
        };
        let message: Work<G> = Box::new(move |owner| work(owner, asked));
        let asking = async {
            self.put(message).await?;
            (&mut answered).await.unwrap_or(Err(ServeError::Stopped))
        };
        tokio::select! {
            biased;
            answer = asking => return answer,
            () = self.shared.clock.sleep(time) => {}
        }
        match ticket.give_up() {
            true => Err(ServeError::Deadline { applied: false }),
            // it is being recorded, and the store says in a moment whether it was
            false => answered.await.unwrap_or(Err(ServeError::Stopped)),
        }
    }

    /// Puts a message into the mailbox, and waits only where there is no room: a wait costs more than the message.
    async fn put<E>(&self, message: Work<G>) -> Result<(), ServeError<E>> {
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
pub(crate) fn signal_work<G: Agent>(signal: Signal, caller: Caller) -> Work<G> {
    Box::new(move |owner| owner.signal(signal, None, caller, Default::default()))
}
