//! A connection of a client, which is read only as fast as the client reads.

use rmcp::RoleServer;
use rmcp::model::{ClientJsonRpcMessage, ClientNotification, JsonRpcMessage};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use std::sync::Arc;
use tokio::sync::Semaphore;

/// The maximum number of messages that wait for the client to read them.
const MAX_UNREAD: usize = 64;

/// A transport that protects the server from its client. rmcp reads as many requests as the client sends, even if the client reads
/// no response, so the responses would fill the memory.
pub(crate) struct Connection<T> {
    transport: T,
    /// Permits for messages that the client has not read.
    unread: Arc<Semaphore>,
    is_initialized: bool,
}

impl<T> Connection<T> {
    pub(crate) fn new(transport: T) -> Self {
        Self {
            transport,
            unread: Arc::new(Semaphore::new(MAX_UNREAD)),
            is_initialized: false,
        }
    }
}

impl<T: Transport<RoleServer>> Transport<RoleServer> for Connection<T> {
    type Error = T::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = Result<(), T::Error>> + Send + 'static {
        // without a permit, it is the response to a request that was read before
        let permit = Arc::clone(&self.unread).try_acquire_owned();
        let sending = self.transport.send(message);
        async {
            let _permit = permit;
            sending.await
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            drop(self.unread.acquire().await);
            let message = self.transport.receive().await?;
            // each of them starts a task that lasts as long as the connection
            if !is_initialized(&message) || !std::mem::replace(&mut self.is_initialized, true) {
                return Some(message);
            }
        }
    }

    fn close(&mut self) -> impl Future<Output = Result<(), T::Error>> + Send {
        self.transport.close()
    }
}

fn is_initialized(message: &ClientJsonRpcMessage) -> bool {
    let JsonRpcMessage::Notification(notification) = message else {
        return false;
    };
    matches!(
        notification.notification,
        ClientNotification::InitializedNotification(_)
    )
}
