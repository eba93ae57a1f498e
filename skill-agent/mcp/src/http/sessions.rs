//! The sessions of clients of the earlier era, whose number is limited. A session belongs to the principal that opened it: for any
//! other one, it does not exist.

use crate::connection::Connection;
use futures_core::Stream;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::common::server_side_http::{ServerSseMessage, SessionId};
use rmcp::transport::streamable_http_server::SessionManager;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError,
};
use std::collections::HashMap;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::{Instant, timeout};

/// How long a session or a principal's service lasts after its last request, response or stream.
pub(super) const IDLE_TIME: Duration = Duration::from_secs(5 * 60);
/// The time limit for closing a session.
const CLOSE_TIME: Duration = Duration::from_secs(10);
/// The maximum number of sessions of one principal.
const MAX_OF_PRINCIPAL: usize = 100;

/// The sessions of all principals.
pub(super) struct AllSessions {
    local: Arc<LocalSessionManager>,
    max: usize,
}

impl AllSessions {
    pub(super) fn new(max: usize) -> Self {
        let mut local = LocalSessionManager::default();
        // otherwise, the server's own messages would keep a session alive, even if its client has gone
        local.session_config.keep_alive = None;
        let local = Arc::new(local);
        Self { local, max }
    }

    /// Returns the sessions of one principal, or of a server without principals.
    pub(super) fn of_principal(&self, has_principal: bool) -> Sessions {
        Sessions {
            local: Arc::clone(&self.local),
            own: Arc::default(),
            max: self.max,
            max_own: if has_principal {
                MAX_OF_PRINCIPAL
            } else {
                self.max
            },
        }
    }
}

/// The sessions of one principal.
pub(crate) struct Sessions {
    local: Arc<LocalSessionManager>,
    own: Own,
    max: usize,
    max_own: usize,
}

type Own = Arc<Mutex<HashMap<SessionId, Use>>>;

/// The use of a session by its client.
struct Use {
    last: Instant,
    /// The number of responses and streams that the client is reading.
    open: usize,
}

fn own(own: &Own) -> MutexGuard<'_, HashMap<SessionId, Use>> {
    // no user code runs under the lock
    own.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sessions {
    /// Ends the sessions that no client has used for some time. Returns whether others are left.
    pub(super) fn end_idle(&self) -> bool {
        let is_idle = |used: &Use| used.open == 0 && used.last.elapsed() >= IDLE_TIME;
        let mut has_others = false;
        for (id, used) in &*own(&self.own) {
            if !is_idle(used) {
                has_others = true;
                continue;
            }
            let (local, owned, id) = (
                Arc::clone(&self.local),
                Arc::clone(&self.own),
                Arc::clone(id),
            );
            tokio::spawn(async move {
                // a session whose client reads nothing may not take the message that closes it
                let closed = timeout(CLOSE_TIME, local.close_session(&id)).await;
                if !matches!(closed, Ok(Ok(()))) {
                    tracing::debug!("a session of an MCP client did not close");
                }
                own(&owned).remove(&id);
            });
        }
        has_others
    }

    /// Counts a stream as used until it ends.
    fn used<S: Stream>(&self, id: &SessionId, stream: S) -> UsedStream<S> {
        if let Some(used) = own(&self.own).get_mut(id) {
            used.open += 1;
        }
        UsedStream {
            stream: Box::pin(stream),
            own: Arc::clone(&self.own),
            id: Arc::clone(id),
        }
    }
}

/// A stream during which its session is not idle.
struct UsedStream<S> {
    stream: Pin<Box<S>>,
    own: Own,
    id: SessionId,
}

impl<S: Stream> Stream for UsedStream<S> {
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        self.stream.as_mut().poll_next(cx)
    }
}

impl<S> Drop for UsedStream<S> {
    fn drop(&mut self) {
        if let Some(used) = own(&self.own).get_mut(&self.id) {
            used.open = used.open.saturating_sub(1);
            used.last = Instant::now();
        }
    }
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum SessionsError {
    #[error("the limit of sessions is reached; the client has {0} open")]
    Full(usize),
    #[error(transparent)]
    Local(#[from] LocalSessionManagerError),
}

impl SessionManager for Sessions {
    type Error = SessionsError;
    type Transport = Connection<<LocalSessionManager as SessionManager>::Transport>;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        {
            let all = self.local.sessions.read().await;
            let mut own = own(&self.own);
            own.retain(|id, _| all.contains_key(id));
            if all.len() >= self.max || own.len() >= self.max_own {
                return Err(SessionsError::Full(own.len()));
            }
        }
        let (id, transport) = self.local.create_session().await?;
        let used = Use {
            last: Instant::now(),
            open: 0,
        };
        own(&self.own).insert(Arc::clone(&id), used);
        Ok((id, Connection::new(transport)))
    }

    async fn initialize_session(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<ServerJsonRpcMessage, Self::Error> {
        Ok(self.local.initialize_session(id, message).await?)
    }

    async fn has_session(&self, id: &SessionId) -> Result<bool, Self::Error> {
        // each request with a session asks this first
        let is_own = match own(&self.own).get_mut(id) {
            Some(used) => {
                used.last = Instant::now();
                true
            }
            None => false,
        };
        Ok(is_own && self.local.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        if own(&self.own).remove(id).is_some() {
            self.local.close_session(id).await?;
        }
        Ok(())
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let stream = self.local.create_stream(id, message).await?;
        Ok(self.used(id, stream))
    }

    async fn accept_message(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<(), Self::Error> {
        Ok(self.local.accept_message(id, message).await?)
    }

    async fn create_standalone_stream(
        &self,
        id: &SessionId,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let stream = self.local.create_standalone_stream(id).await?;
        Ok(self.used(id, stream))
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        let stream = self.local.resume(id, last_event_id).await?;
        Ok(self.used(id, stream))
    }
}
