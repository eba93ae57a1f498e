//! Requests from a handle to the task of its server, with the deadline of the handle.

use super::message::{BoxEnvelope, MailboxRequest};
use super::responder::{DeadlineState, Responder, Response};
use crate::server::error::ServeError;
use crate::server::handle::AgentServer;
use crate::server::owner::Owner;
use skill_core::Agent;
use tokio::sync::mpsc::error::TrySendError;

impl<G: Agent> AgentServer<G> {
    /// Puts a request into the mailbox and waits for the response, at most until the deadline of the handle.
    pub(in crate::server) async fn exchange<T, E>(
        &self,
        work: impl FnOnce(&mut Owner<G>, Responder<T, E>) + Send + 'static,
    ) -> Result<T, ServeError<E>>
    where
        T: Send + 'static,
        E: Send + 'static,
    {
        let Some(time) = self.deadline else {
            let (responder, receiver) = Responder::new(None);
            self.enqueue(MailboxRequest::new(work, responder)).await?;
            return Response::read(receiver.await);
        };
        let deadline = DeadlineState::new(self.shared.clock.now() + time);
        let (responder, mut receiver) = Responder::new(Some(deadline.clone()));
        let request = async {
            self.enqueue(MailboxRequest::new(work, responder)).await?;
            Response::read((&mut receiver).await)
        };
        tokio::select! {
            biased;
            response = request => return response,
            () = self.shared.clock.sleep(time) => {}
        }
        if deadline.give_up() {
            return Err(ServeError::Deadline { applied: false });
        }
        // The command is being recorded: the store is about to say whether that succeeded.
        Response::read(receiver.await)
    }

    /// Puts a message into the mailbox. Tries without waiting first, because a wait costs more than the message.
    async fn enqueue<E>(&self, message: BoxEnvelope<G>) -> Result<(), ServeError<E>> {
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
