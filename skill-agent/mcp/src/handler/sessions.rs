//! The sessions of clients: the caller, and the documents that are active for it.

use skill_agent_toolbox::{ToolSession, Toolbox};
use skill_core::ForeignCaller;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// The maximum number of sessions. Beyond it, the session that was used least recently is dropped.
const MAX_SESSIONS: usize = 1_000;
/// The time after which an unused session may be dropped.
const IDLE: Duration = Duration::from_secs(30 * 60);

/// The session of each subject, or of all clients without one.
#[derive(Default)]
pub(super) struct Sessions(Mutex<HashMap<Option<String>, Session>>);

struct Session {
    session: Arc<ToolSession>,
    used: Instant,
}

impl Sessions {
    pub(super) fn of(&self, toolbox: &Toolbox, subject: Option<&str>) -> Arc<ToolSession> {
        let now = Instant::now();
        // no user code runs under the lock
        let mut sessions = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let key = subject.map(str::to_owned);
        if let Some(known) = sessions.get_mut(&key) {
            known.used = now;
            return Arc::clone(&known.session);
        }
        if sessions.len() >= MAX_SESSIONS {
            sessions.retain(|_, session| now - session.used < IDLE);
        }
        if sessions.len() >= MAX_SESSIONS {
            let oldest = sessions.iter().min_by_key(|(_, session)| session.used);
            if let Some(oldest) = oldest.map(|(key, _)| key.clone()) {
                sessions.remove(&oldest);
            }
        }
        let caller = match subject {
            Some(subject) => ForeignCaller::Mcp.with_principal(subject),
            None => ForeignCaller::Mcp,
        };
        let session = Arc::new(toolbox.session(caller).uncut());
        let used = now;
        let kept = Arc::clone(&session);
        sessions.insert(
            key,
            Session {
                session: kept,
                used,
            },
        );
        session
    }
}
