//! Opens the conversations of a server.

use crate::conversation::{Build, Closing, Conversation, Shared};
use crate::conversations::Conversations;
use crate::entries::Inner;
use crate::rows::{FORM, Head, read};
use skill_agent_chat::{ChatError, IntoChatBuilder};
use skill_agent_server::{AgentServer, BoxFuture, ErasedServer};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, Weak};
use std::time::Duration;
use tokio::sync::Semaphore;

/// The default for [`running`](OpenConversations::running): the number of turns that run at once.
pub const RUNNING_TURNS: usize = 64;
/// The default for [`max_conversations`](OpenConversations::max_conversations).
pub const MAX_CONVERSATIONS: usize = 100_000;
/// The default for [`max_bytes`](OpenConversations::max_bytes).
pub const MAX_CONVERSATION_BYTES: usize = 64 << 20;

/// The default for [`idle_after`](OpenConversations::idle_after).
const IDLE_AFTER: Duration = Duration::from_secs(10 * 60);
/// How long the events of a turn are kept after its end.
const EVENTS_AFTER: Duration = Duration::from_secs(5 * 60);
/// The maximum time between two searches for idle conversations.
const SWEEP: Duration = Duration::from_secs(30);

/// Opens conversations when it is awaited. Created by [`Conversations::open`].
#[must_use = "nothing is opened until this is awaited"]
pub struct OpenConversations {
    server: ErasedServer,
    build: Build,
    running: usize,
    idle_after: Duration,
    max_conversations: usize,
    max_bytes: usize,
}

impl Conversations {
    /// Opens the conversations that a server keeps in its log. The server must have a store.
    ///
    /// `build` gets the id of a conversation, and returns the [`ChatBuilder`](skill_agent_chat::ChatBuilder) of its chat, or a
    /// future of one. It is called for a conversation's first turn in this process, and again if the chat was dropped, for
    /// example because the conversation was idle. The history of the builder is replaced with the stored one.
    ///
    /// # Errors
    /// Returns [`ChatError::Setting`] if the server has no store or its conversations are already open, and [`ChatError::Store`] or
    /// [`ChatError::Stored`] if they cannot be read.
    pub fn open<G, F, B>(server: &AgentServer<G>, build: F) -> OpenConversations
    where
        F: Fn(String) -> B + Send + Sync + 'static,
        B: IntoChatBuilder,
    {
        OpenConversations {
            server: server.clone().erase(),
            build: Box::new(move |id| build(id).into_chat_builder()),
            running: RUNNING_TURNS,
            idle_after: IDLE_AFTER,
            max_conversations: MAX_CONVERSATIONS,
            max_bytes: MAX_CONVERSATION_BYTES,
        }
    }
}

impl OpenConversations {
    /// Sets how many turns may run at once. Other turns wait in order. The default is [`RUNNING_TURNS`].
    pub fn running(mut self, turns: usize) -> Self {
        self.running = turns;
        self
    }

    /// Sets after how long the chat of a conversation is dropped if it has no turn, reader or handle. The default is ten minutes.
    pub fn idle_after(mut self, time: Duration) -> Self {
        self.idle_after = time;
        self
    }

    /// Sets the maximum number of conversations. The default is [`MAX_CONVERSATIONS`].
    pub fn max_conversations(mut self, conversations: usize) -> Self {
        self.max_conversations = conversations;
        self
    }

    /// Sets the maximum size of one conversation's messages, as JSON in bytes. The default is [`MAX_CONVERSATION_BYTES`].
    pub fn max_bytes(mut self, bytes: usize) -> Self {
        self.max_bytes = bytes;
        self
    }

    async fn open(self) -> Result<Conversations, ChatError> {
        let setting = |problem: &str| Err(ChatError::Setting(problem.to_owned()));
        if self.running == 0 {
            return setting("`running(0)` lets no turn run; write at least 1");
        }
        if !self.server.has_store() {
            return setting(
                "conversations need a server with a store; write `AgentServer::builder(...).store(...)`",
            );
        }
        let Some(claim) = self.server.claim_rows() else {
            return setting(
                "the conversations of this server are already open; clone their `Conversations`, or drop it with its turns and readers before",
            );
        };
        let heads = self.server.read_heads().await.map_err(ChatError::store)?;
        let shared = Arc::new(Shared {
            server: self.server,
            build: self.build,
            running: Arc::new(Semaphore::new(self.running.min(Semaphore::MAX_PERMITS))),
            most_bytes: self.max_bytes as u64,
            idle_after: self.idle_after,
            closing: Closing::default(),
            _claim: claim,
        });
        let (mut entries, mut next_group) = (BTreeMap::new(), 0);
        for (group, head) in heads {
            next_group = group + 1;
            if let Some(head) = stored_head(&shared.server, group, &head).await? {
                let conversation = Conversation::new(Arc::clone(&shared), group, head);
                entries.insert(conversation.id.clone(), conversation);
            }
        }
        let sweep = (shared.idle_after / 2).clamp(Duration::from_millis(1), SWEEP);
        let inner = Arc::new(Inner {
            shared,
            max_conversations: self.max_conversations,
            entries: Mutex::new(entries),
            next_group: next_group.into(),
        });
        tokio::spawn(drop_idle(Arc::downgrade(&inner), sweep));
        Ok(Conversations { inner })
    }
}

/// Reads the head of a group. Rebuilds a lost head from the rows. Returns `None` if the row with the origin is lost too.
async fn stored_head(
    server: &ErasedServer,
    group: u64,
    head: &[u8],
) -> Result<Option<Head>, ChatError> {
    let place = || format!("number {group}");
    if !head.is_empty() {
        let mut head: Head = read(head).map_err(|problem| ChatError::stored(&place(), problem))?;
        if head.origin.form < FORM {
            // an earlier build did not number the turns
            head.turn = head.turns;
            head.own_from = head.turn + 1;
        }
        return Ok(Some(head));
    }
    let rows = server.read_rows(group).await.map_err(ChatError::store)?;
    Head::of_rows(&rows).map_err(|problem| ChatError::stored(&place(), problem))
}

/// Drops the chats of idle conversations at regular intervals.
async fn drop_idle(inner: Weak<Inner>, sweep: Duration) {
    loop {
        tokio::time::sleep(sweep).await;
        let Some(inner) = inner.upgrade() else {
            return;
        };
        for conversation in inner.entries().values() {
            conversation.drop_idle(EVENTS_AFTER);
        }
    }
}

impl IntoFuture for OpenConversations {
    type Output = Result<Conversations, ChatError>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(self.open())
    }
}

impl fmt::Debug for OpenConversations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenConversations").finish_non_exhaustive()
    }
}
