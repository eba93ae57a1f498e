//! The sessions of clients of the earlier era, whose number is limited. A session belongs to the principal that opened it: for any
//! other one, it does not exist.

use futures_core::Stream;
use rmcp::model::{ClientJsonRpcMessage, ServerJsonRpcMessage};
use rmcp::transport::common::server_side_http::{ServerSseMessage, SessionId};
use rmcp::transport::streamable_http_server::SessionManager;
use rmcp::transport::streamable_http_server::session::local::{
    LocalSessionManager, LocalSessionManagerError,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// How long a session lasts after its last request.
const IDLE_TIME: Duration = Duration::from_secs(5 * 60);
/// The maximum number of sessions of one principal.
const MAX_OF_PRINCIPAL: usize = 100;

/// The sessions of all principals.
#[derive(Clone)]
pub(super) struct AllSessions {
    local: Arc<LocalSessionManager>,
    max: usize,
}

impl AllSessions {
    pub(super) fn new(max: usize) -> Self {
        let local = Arc::default();
        Self { local, max }
    }

    /// Returns the sessions of one principal, or of a server without principals.
    pub(super) fn of_principal(&self, has_principal: bool) -> Sessions {
        Sessions {
            local: Arc::clone(&self.local),
            own: Mutex::default(),
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
    /// The sessions, with their last requests.
    own: Mutex<HashMap<SessionId, Instant>>,
    max: usize,
    max_own: usize,
}

impl Sessions {
    fn own(&self) -> MutexGuard<'_, HashMap<SessionId, Instant>> {
        // no user code runs under the lock
        self.own.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the sessions without a request for some time. The manager would keep a session alive by the messages of the server too,
    /// although nobody may read them. Returns whether any session is left.
    pub(super) async fn end_idle(&self) -> bool {
        let is_idle = |last: &Instant| last.elapsed() >= IDLE_TIME;
        let mut idle = Vec::new();
        let has_others = {
            let all = self.local.sessions.read().await;
            let mut own = self.own();
            own.retain(|id, _| all.contains_key(id));
            idle.extend(own.extract_if(|_, last| is_idle(last)));
            !own.is_empty()
        };
        for (id, _) in idle {
            if let Err(error) = self.local.close_session(&id).await {
                tracing::debug!(%error, "a session of an MCP client did not end");
            }
        }
        has_others
    }
}

#[derive(Debug, thiserror::Error)]
pub(crate) enum SessionsError {
    #[error("no further session is accepted, and the client has {0}")]
    Full(usize),
    #[error(transparent)]
    Local(#[from] LocalSessionManagerError),
}

impl SessionManager for Sessions {
    type Error = SessionsError;
    type Transport = <LocalSessionManager as SessionManager>::Transport;

    async fn create_session(&self) -> Result<(SessionId, Self::Transport), Self::Error> {
        {
            let all = self.local.sessions.read().await;
            let mut own = self.own();
            own.retain(|id, _| all.contains_key(id));
            if all.len() >= self.max || own.len() >= self.max_own {
                return Err(SessionsError::Full(own.len()));
            }
        }
        let (id, transport) = self.local.create_session().await?;
        self.own().insert(Arc::clone(&id), Instant::now());
        Ok((id, transport))
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
        let is_own = match self.own().get_mut(id) {
            Some(last) => {
                *last = Instant::now();
                true
            }
            None => false,
        };
        Ok(is_own && self.local.has_session(id).await?)
    }

    async fn close_session(&self, id: &SessionId) -> Result<(), Self::Error> {
        if self.own().remove(id).is_some() {
            self.local.close_session(id).await?;
        }
        Ok(())
    }

    async fn create_stream(
        &self,
        id: &SessionId,
        message: ClientJsonRpcMessage,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        Ok(self.local.create_stream(id, message).await?)
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
        Ok(self.local.create_standalone_stream(id).await?)
    }

    async fn resume(
        &self,
        id: &SessionId,
        last_event_id: String,
    ) -> Result<impl Stream<Item = ServerSseMessage> + Send + Sync + 'static, Self::Error> {
        Ok(self.local.resume(id, last_event_id).await?)
    }
}
