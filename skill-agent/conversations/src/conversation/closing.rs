//! Servers of dropped chats. They may still be stopping.

use skill_agent_chat::Chat;
use skill_agent_server::BoxFuture;
use std::future::poll_fn;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Poll;
use std::time::{Duration, Instant};

/// How long to wait for such a server to stop.
const LIMIT: Duration = Duration::from_secs(10);

/// The servers of chats that were dropped recently. If a chat with the same conversation id is built again, its servers may be
/// unable to start until these servers have stopped.
#[derive(Default)]
pub(crate) struct Closing(Mutex<Vec<Entry>>);

struct Entry {
    /// The id of the conversation.
    id: String,
    since: Instant,
    closed: BoxFuture<'static, ()>,
}

impl Closing {
    /// Adds the servers of a chat that is about to be dropped.
    pub(super) fn add(&self, id: &str, chat: &Chat) {
        let closed = chat.servers_closed().into_iter();
        self.recent().extend(closed.map(|closed| Entry {
            id: id.to_owned(),
            since: Instant::now(),
            closed: Box::pin(closed),
        }));
    }

    /// Takes the servers of a conversation.
    pub(super) fn take(&self, id: &str) -> Vec<BoxFuture<'static, ()>> {
        let mut entries = self.recent();
        let taken = entries.extract_if(.., |entry| entry.id == id);
        taken.map(|entry| entry.closed).collect()
    }

    /// Removes the entries that are older than [`LIMIT`], and returns the others.
    fn recent(&self) -> MutexGuard<'_, Vec<Entry>> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.retain(|entry| entry.since.elapsed() < LIMIT);
        entries
    }
}

/// Waits until one of the servers has stopped, and removes it. Returns `false` if none stops in time.
pub(super) async fn one_has_closed(closing: &mut Vec<BoxFuture<'static, ()>>) -> bool {
    let one = poll_fn(|cx| {
        let mut closing = closing.iter_mut();
        match closing.position(|closed| closed.as_mut().poll(cx).is_ready()) {
            Some(at) => Poll::Ready(at),
            None => Poll::Pending,
        }
    });
    let Ok(at) = tokio::time::timeout(LIMIT, one).await else {
        return false;
    };
    drop(closing.swap_remove(at));
    true
}
