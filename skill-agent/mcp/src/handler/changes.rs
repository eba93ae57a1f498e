//! Tells clients when the tools, the prompts or the resources have changed.

use super::Inner;
use rmcp::service::{Peer, RoleServer, ServiceError, SubscriptionSendError, SubscriptionSink};
use skill_agent_documents::ContentHash;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::sleep;

/// How often the toolbox is asked for its list while a client wants to know about changes.
const INTERVAL: Duration = Duration::from_secs(1);

/// The versions of the lists.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Versions {
    /// The generation of the list of tools, or `None` before the first list.
    tools: Option<u64>,
    /// The hash of the catalog, which prompts and resources come from.
    documents: Option<ContentHash>,
}

/// The changes of the lists, for the clients that listen. One task asks the toolbox for all of them, as long as there are any.
#[derive(Default)]
pub(super) struct Changes(Mutex<Weak<watch::Sender<Versions>>>);

/// The lists that have changed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Changed {
    tools: bool,
    documents: bool,
}

/// Receives the changes for one client.
pub(super) struct Listening {
    versions: watch::Receiver<Versions>,
    seen: Versions,
}

impl Listening {
    fn new(mut versions: watch::Receiver<Versions>) -> Self {
        let seen = *versions.borrow_and_update();
        Self { versions, seen }
    }

    /// Returns the next change, or `None` when the handler is gone. Cancel safe.
    pub(super) async fn next(&mut self) -> Option<Changed> {
        self.versions.changed().await.ok()?;
        let now = *self.versions.borrow_and_update();
        let changed = Changed {
            tools: now.tools != self.seen.tools,
            documents: now.documents != self.seen.documents,
        };
        self.seen = now;
        Some(changed)
    }
}

impl Changed {
    /// Notifies a client of the earlier era.
    pub(super) async fn told_to(self, peer: &Peer<RoleServer>) -> Result<(), ServiceError> {
        if self.tools {
            peer.notify_tool_list_changed().await?;
        }
        // a tool may have brought a skill with instructions
        peer.notify_prompt_list_changed().await?;
        if self.documents {
            peer.notify_resource_list_changed().await?;
        }
        Ok(())
    }

    /// Notifies a client of the stateless era about the lists that it subscribed to.
    pub(super) async fn sent_to(
        self,
        sink: &SubscriptionSink,
    ) -> Result<(), SubscriptionSendError> {
        if self.tools {
            accepted(sink.notify_tool_list_changed().await)?;
        }
        accepted(sink.notify_prompt_list_changed().await)?;
        if self.documents {
            accepted(sink.notify_resource_list_changed().await)?;
        }
        Ok(())
    }
}

/// Ignores that the client did not ask for a notification.
fn accepted(sent: Result<(), SubscriptionSendError>) -> Result<(), SubscriptionSendError> {
    match sent {
        Err(SubscriptionSendError::NotificationNotAccepted(_)) => Ok(()),
        sent => sent,
    }
}

impl Changes {
    /// Returns a receiver of the changes.
    pub(super) fn listen(&self, inner: &Arc<Inner>) -> Listening {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(sender) = known.upgrade() {
            return Listening::new(sender.subscribe());
        }
        // a change before the first question counts, too
        let before = Versions {
            tools: inner.tools.known().map(|list| list.generation()),
            documents: inner.catalog_hash(),
        };
        let (sender, receiver) = watch::channel(before);
        let sender = Arc::new(sender);
        *known = Arc::downgrade(&sender);
        tokio::spawn(watch_lists(Arc::downgrade(inner), sender));
        Listening::new(receiver)
    }

    /// Returns whether no client listens any more. The next one then starts another task.
    fn end_without_listeners(&self, sender: &watch::Sender<Versions>) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_idle = sender.receiver_count() == 0;
        if is_idle {
            *known = Weak::new();
        }
        is_idle
    }
}

impl Inner {
    fn catalog_hash(&self) -> Option<ContentHash> {
        Some(self.toolbox.catalog()?.hash())
    }
}

/// Asks the toolbox until no client listens, or until the handler is gone.
async fn watch_lists(inner: Weak<Inner>, sender: Arc<watch::Sender<Versions>>) {
    while let Some(inner) = inner.upgrade()
        && !inner.changes.end_without_listeners(&sender)
    {
        let now = Versions {
            tools: Some(inner.tools.listed(&inner.toolbox).await.generation()),
            documents: inner.catalog_hash(),
        };
        sender.send_if_modified(|versions| {
            // before the first list, no client has one that could change
            let tools = versions.tools.is_some() && versions.tools != now.tools;
            let is_changed = tools || versions.documents != now.documents;
            *versions = now;
            is_changed
        });
        drop(inner);
        sleep(INTERVAL).await;
    }
}
