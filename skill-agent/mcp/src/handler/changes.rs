//! Tells clients when the list of tools has changed.

use super::Inner;
use super::tools::McpList;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::sleep;

/// How often the toolbox is asked for its list while a client wants to know about changes.
const INTERVAL: Duration = Duration::from_secs(1);

/// The changes of the list, for the clients that listen. One task asks the toolbox for all of them, as long as there are any.
#[derive(Default)]
pub(super) struct Changes(Mutex<Weak<watch::Sender<u64>>>);

impl Changes {
    /// Returns a receiver of the number of changes.
    pub(super) fn listen(&self, inner: &Arc<Inner>) -> watch::Receiver<u64> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = known.upgrade() {
            return sender.subscribe();
        }
        let (sender, receiver) = watch::channel(0);
        let sender = Arc::new(sender);
        *known = Arc::downgrade(&sender);
        // a change before the first question counts, too
        let before = inner.tools.known();
        tokio::spawn(watch_list(Arc::downgrade(inner), before, sender));
        receiver
    }

    /// Returns whether no client listens any more. The next one then starts another task.
    fn end_without_listeners(&self, sender: &watch::Sender<u64>) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_idle = sender.receiver_count() == 0;
        if is_idle {
            *known = Weak::new();
        }
        is_idle
    }
}

/// Asks the toolbox until no client listens, or until the handler is gone.
async fn watch_list(
    inner: Weak<Inner>,
    mut before: Option<Arc<McpList>>,
    sender: Arc<watch::Sender<u64>>,
) {
    while let Some(inner) = inner.upgrade()
        && !inner.changes.end_without_listeners(&sender)
    {
        let list = inner.tools.listed(&inner.toolbox).await;
        let last = before.replace(Arc::clone(&list));
        if last.is_some_and(|last| !last.is_same(&list)) {
            sender.send_modify(|changes| *changes += 1);
        }
        drop(inner);
        sleep(INTERVAL).await;
    }
}
