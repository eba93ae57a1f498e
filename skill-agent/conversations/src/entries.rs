//! The conversations of a server, by id.

use crate::conversation::{Conversation, Shared};
use crate::rows::{FORM, Head, Origin};
use skill_agent_chat::ChatError;
use skill_agent_server::__private::{Ids, millis};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::SystemTime;

/// The maximum length of a conversation's id, in bytes.
pub const MAX_ID_BYTES: usize = 1 << 10;

pub(crate) struct Inner {
    pub(crate) shared: Arc<Shared>,
    pub(crate) max_conversations: usize,
    pub(crate) entries: Mutex<BTreeMap<String, Arc<Conversation>>>,
    pub(crate) next_group: AtomicU64,
}

impl Inner {
    pub(crate) fn entries(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Conversation>>> {
        // no user code runs under the lock
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn find(&self, id: &str) -> Result<Arc<Conversation>, ChatError> {
        let entries = self.entries();
        let found = entries.get(id).cloned();
        found.ok_or_else(|| ChatError::unknown(id))
    }

    pub(crate) fn get_or_create(&self, id: &str) -> Result<Arc<Conversation>, ChatError> {
        let mut entries = self.entries();
        if let Some(found) = entries.get(id) {
            return Ok(Arc::clone(found));
        }
        let most = self.max_conversations;
        if entries.len() >= most {
            return Err(ChatError::Limit(format!(
                "there are {most} conversations, and no room for `{id}`; delete some, or raise `max_conversations`"
            )));
        }
        if id.is_empty() || id.len() > MAX_ID_BYTES {
            return Err(ChatError::Limit(format!(
                "the id of a conversation has 1 to {MAX_ID_BYTES} bytes, and this one has {}",
                id.len()
            )));
        }
        let now = SystemTime::now();
        let origin = Origin {
            form: FORM,
            id: id.to_owned(),
            uid: Ids::draw().next(now),
            began: millis(now),
        };
        let group = self.next_group.fetch_add(1, Ordering::Relaxed);
        let shared = Arc::clone(&self.shared);
        let conversation = Conversation::new(shared, group, Head::new(origin));
        entries.insert(id.to_owned(), Arc::clone(&conversation));
        Ok(conversation)
    }

    /// Returns whether to repeat the operation with a new conversation, because another caller has deleted this one. After an
    /// error, also removes a conversation without stored rows.
    pub(crate) async fn is_to_repeat<T>(
        &self,
        conversation: &Arc<Conversation>,
        begun: &Result<T, ChatError>,
    ) -> bool {
        if begun.is_ok() {
            return false;
        }
        let is_gone = conversation.is_gone().await;
        if is_gone || conversation.retire_if_unused() {
            self.remove(conversation);
        }
        is_gone && matches!(begun, Err(ChatError::Unknown { .. }))
    }

    pub(crate) fn remove(&self, conversation: &Arc<Conversation>) {
        let mut entries = self.entries();
        if entries
            .get(&conversation.id)
            .is_some_and(|present| Arc::ptr_eq(present, conversation))
        {
            entries.remove(&conversation.id);
        }
    }
}
