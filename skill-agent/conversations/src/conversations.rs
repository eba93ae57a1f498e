//! The [`Conversations`] of a server.

use crate::conversation::{Begin, MessageKey};
use crate::entries::Inner;
use crate::info::{ConversationInfo, ConversationPage};
use crate::running::{ConversationEvents, RunningTurn};
use skill_agent_chat::{ChatError, Message, Turn};
use skill_agent_server::{BoxFuture, Verdict};
use std::cmp::Reverse;
use std::fmt;
use std::sync::Arc;

/// Conversations that are kept in the log of a server. Clones share them.
///
/// A turn continues even if its caller stops waiting. After a restart, [`resume`](Self::resume) continues it. `send`,
/// [`start`](Self::start) and [`import`](Self::import) begin a conversation with a new id. Methods for an existing conversation
/// return [`ChatError::Unknown`] for such an id.
///
/// ```
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// use skill_agent::chat::{Chat, Conversations, Scripted};
/// use skill_agent::prelude::*;
/// use skill_agent::store::Memory;
/// use skill_agent::toolbox::Toolbox;
/// # /// Notes of one person.
/// # #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
/// # #[serde(default)]
/// # #[skill(name = "notes")]
/// # pub struct Notes { pub lines: Vec<String> }
/// # agent! { pub struct Assistant { name: "assistant", skills: [Notes] } }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = AgentServer::builder(Assistant::with_id("main")).store(Memory::default()).start().await?;
/// let toolbox = Toolbox::of(&server);
/// let chats = Conversations::open(&server, move |_id| {
///     Chat::builder(Scripted::new().text("Hello, Ann."), toolbox.clone())
/// })
/// .await?;
/// let turn = chats.send("ann/1", "I am Ann.").await?;
/// assert_eq!(turn.text(), "Hello, Ann.");
/// assert_eq!(chats.list("ann/").await?[0].title, "I am Ann.");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Conversations {
    pub(crate) inner: Arc<Inner>,
}

impl Conversations {
    /// Sends a message and waits for the end of the turn. The turn continues even if you stop waiting.
    ///
    /// # Errors
    /// Returns the same errors as [`start`](Self::start) and [`RunningTurn::wait`].
    pub async fn send(
        &self,
        id: impl Into<String>,
        message: impl Into<Message>,
    ) -> Result<Turn, Arc<ChatError>> {
        self.start(id, message).await?.wait().await
    }

    /// Records a message and starts its turn. If the last turn was interrupted, its calls do not run again. The model reads which
    /// of them may have run.
    ///
    /// # Errors
    /// Returns [`ChatError::Busy`] with the message while a turn is running, [`ChatError::Pending`] while calls wait for approval,
    /// [`ChatError::Build`] if the program's function fails, [`ChatError::Ended`] if the turn is cancelled before that function has
    /// returned, [`ChatError::Limit`] if there are too many conversations, and [`ChatError::Store`] if the message cannot be
    /// recorded. Also returns errors about the message, as [`Chat::send`](skill_agent_chat::Chat::send) does.
    pub async fn start(
        &self,
        id: impl Into<String>,
        message: impl Into<Message>,
    ) -> Result<RunningTurn, ChatError> {
        self.say(id.into(), message.into(), None).await
    }

    /// Like [`start`](Self::start), but begins one turn if the message is sent twice, for example by a client that got no response. The
    /// client chooses a new key for each message.
    ///
    /// The second call returns the turn of the first one, also after the turn's end.
    ///
    /// # Errors
    /// Returns [`ChatError::UsedKey`] if the key was used for a different message, or if its turn is no longer at hand: after a
    /// restart, after a later message with a key, or after five minutes without a turn. Nothing is sent then. Each conversation
    /// remembers its last 16 keys, but not those of messages that [`cancel`](Self::cancel) returned. Also returns the same errors as
    /// [`start`](Self::start).
    pub async fn start_with_key(
        &self,
        id: impl Into<String>,
        key: impl Into<String>,
        message: impl Into<Message>,
    ) -> Result<RunningTurn, ChatError> {
        self.say(id.into(), message.into(), Some(key.into())).await
    }

    async fn say(
        &self,
        id: String,
        message: Message,
        key: Option<String>,
    ) -> Result<RunningTurn, ChatError> {
        let this = Arc::clone(&self.inner);
        let key = key.map(|key| MessageKey::new(key, &message)).transpose()?;
        detached(async move {
            loop {
                let conversation = this.get_or_create(&id)?;
                let begin = Begin::Say(message.clone(), key.clone());
                let begun = conversation.begin(begin).await;
                if !this.is_to_repeat(&conversation, &begun).await {
                    return begun.map(|cell| RunningTurn { conversation, cell });
                }
            }
        })
        .await
    }

    /// Sends a message into the running turn. The message enters the next request, or begins the next turn if the turn sends no
    /// more requests. While calls wait for approval, the message is kept until the decision. Without a running turn, this is
    /// [`start`](Self::start).
    ///
    /// The returned turn is the running one, or the next one.
    ///
    /// # Errors
    /// Returns the same errors as [`start`](Self::start), except `Busy` and `Pending`.
    pub async fn steer(
        &self,
        id: impl AsRef<str>,
        message: impl Into<Message>,
    ) -> Result<RunningTurn, ChatError> {
        let (conversation, message) = (self.inner.find(id.as_ref())?, message.into());
        detached(async move {
            let cell = conversation.steer(message).await?;
            Ok(RunningTurn { conversation, cell })
        })
        .await
    }

    /// Continues a turn that was interrupted by a restart, an error, a limit or a cancellation.
    ///
    /// A call whose result is missing is made again only if it cannot take effect twice. A server with a store returns the first
    /// output if it has run the call, and runs the call now if it has not. In three cases, the call does not run again, and the
    /// model reads that it may have run: an async action without an output, a server without a store, and a tool of another
    /// source that is not read-only. No call runs again if the server may have forgotten the calls, because it lost data or
    /// because the turn was interrupted about a month ago.
    ///
    /// # Errors
    /// Returns [`ChatError::NothingToResume`] if the conversation waits for a message. Also returns the same errors as
    /// [`start`](Self::start).
    pub async fn resume(&self, id: impl AsRef<str>) -> Result<RunningTurn, ChatError> {
        self.begin(id.as_ref(), Begin::Resume).await
    }

    /// Decides a call that waits for approval, and continues its turn.
    ///
    /// # Errors
    /// Returns [`ChatError::Decision`] if no call with this id is waiting. Also returns the same errors as [`start`](Self::start).
    pub async fn decide(
        &self,
        id: impl AsRef<str>,
        call: impl Into<String>,
        verdict: impl Into<Verdict>,
    ) -> Result<RunningTurn, ChatError> {
        let begin = Begin::Decide(call.into(), verdict.into());
        self.begin(id.as_ref(), begin).await
    }

    /// Cancels the running turn and waits for its end. Returns the messages from [`steer`](Self::steer) that are in no recorded
    /// step. They leave the conversation.
    ///
    /// # Errors
    /// Returns [`ChatError::Unknown`] or [`ChatError::Store`].
    pub async fn cancel(&self, id: impl AsRef<str>) -> Result<Vec<Message>, ChatError> {
        let conversation = self.inner.find(id.as_ref())?;
        detached(async move { conversation.cancel().await }).await
    }

    /// Returns the events of the turn that is running or ran last. `after` is the number of the last event that the reader has seen;
    /// with `None`, the events begin with the turn.
    ///
    /// # Errors
    /// Returns [`ChatError::Unknown`].
    pub fn events(
        &self,
        id: impl AsRef<str>,
        after: impl Into<Option<u64>>,
    ) -> Result<ConversationEvents, ChatError> {
        self.reader(id.as_ref(), after.into(), false)
    }

    /// Like [`events`](Self::events), but continues with later turns until the conversation is deleted.
    ///
    /// # Errors
    /// Returns [`ChatError::Unknown`].
    pub fn follow(
        &self,
        id: impl AsRef<str>,
        after: impl Into<Option<u64>>,
    ) -> Result<ConversationEvents, ChatError> {
        self.reader(id.as_ref(), after.into(), true)
    }

    async fn begin(&self, id: &str, begin: Begin) -> Result<RunningTurn, ChatError> {
        let conversation = self.inner.find(id)?;
        let cell = conversation.begin(begin).await?;
        Ok(RunningTurn { conversation, cell })
    }

    fn reader(
        &self,
        id: &str,
        after: Option<u64>,
        follows: bool,
    ) -> Result<ConversationEvents, ChatError> {
        let conversation = self.inner.find(id)?;
        let next = match after {
            Some(after) => after.saturating_add(1),
            None => conversation.events.turn(),
        };
        Ok(ConversationEvents::new(conversation, next, follows))
    }

    /// Returns the conversations whose ids begin with `prefix`, the most recently changed first. Builds no chat.
    ///
    /// # Errors
    /// Returns no error yet, because the list is in memory.
    pub async fn list(&self, prefix: impl AsRef<str>) -> Result<Vec<ConversationInfo>, ChatError> {
        let prefix = prefix.as_ref();
        let mut infos: Vec<_> = {
            let entries = self.inner.entries();
            let of_prefix = entries.range(prefix.to_owned()..);
            let of_prefix = of_prefix.take_while(|(id, _)| id.starts_with(prefix));
            let stored = of_prefix.filter(|(_, conversation)| conversation.is_stored());
            stored
                .map(|(_, conversation)| conversation.info())
                .collect()
        };
        infos.sort_by_key(|info| Reverse(info.changed));
        Ok(infos)
    }

    /// Returns a conversation as it is now. Builds no chat.
    ///
    /// # Errors
    /// Returns [`ChatError::Unknown`], [`ChatError::Store`] or [`ChatError::Stored`].
    pub async fn get(&self, id: impl AsRef<str>) -> Result<ConversationPage, ChatError> {
        self.inner.find(id.as_ref())?.page().await
    }

    /// Sets the title of a conversation.
    ///
    /// # Errors
    /// Returns [`ChatError::Unknown`] or [`ChatError::Store`].
    pub async fn rename(
        &self,
        id: impl AsRef<str>,
        title: impl Into<String>,
    ) -> Result<(), ChatError> {
        let (conversation, title) = (self.inner.find(id.as_ref())?, title.into());
        detached(async move { conversation.rename(title).await }).await
    }

    /// Cancels the running turn, and deletes a conversation.
    ///
    /// # Errors
    /// Returns [`ChatError::Unknown`] or [`ChatError::Store`].
    pub async fn delete(&self, id: impl AsRef<str>) -> Result<(), ChatError> {
        let (this, conversation) = (Arc::clone(&self.inner), self.inner.find(id.as_ref())?);
        detached(async move {
            conversation.delete().await?;
            this.remove(&conversation);
            Ok(())
        })
        .await
    }

    /// Returns a conversation as JSON text, for [`import`](Self::import). A step whose results are missing is left out.
    ///
    /// # Errors
    /// Returns [`ChatError::Unknown`], [`ChatError::Store`] or [`ChatError::Stored`].
    pub async fn export(&self, id: impl AsRef<str>) -> Result<String, ChatError> {
        self.inner.find(id.as_ref())?.export().await
    }

    /// Stores a conversation under a new id. `json` is from [`export`](Self::export), or the JSON of
    /// [`Chat::history`](skill_agent_chat::Chat::history).
    ///
    /// # Errors
    /// Returns [`ChatError::Exists`] if there is a conversation with this id, [`ChatError::Stored`] or [`ChatError::History`] if
    /// `json` is not a conversation, [`ChatError::Limit`] if there is no room for it, and [`ChatError::Store`] if it cannot be
    /// stored.
    pub async fn import(
        &self,
        id: impl Into<String>,
        json: impl AsRef<str>,
    ) -> Result<(), ChatError> {
        let (this, id, json) = (Arc::clone(&self.inner), id.into(), json.as_ref().to_owned());
        detached(async move {
            loop {
                let conversation = this.get_or_create(&id)?;
                let imported = conversation.import(&json).await;
                if !this.is_to_repeat(&conversation, &imported).await {
                    return imported;
                }
            }
        })
        .await
    }
}

/// Runs `work` in a separate task, so that it completes even if the caller stops waiting. Otherwise, the log and the memory could
/// differ.
pub(crate) async fn detached<T: Send + 'static, E: From<ChatError> + Send + 'static>(
    work: impl Future<Output = Result<T, E>> + Send + 'static,
) -> Result<T, E> {
    let work: BoxFuture<'static, _> = Box::pin(work);
    tokio::spawn(work)
        .await
        .unwrap_or_else(|_| Err(ChatError::Ended.into()))
}

impl fmt::Debug for Conversations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conversations")
            .field("conversations", &self.inner.entries().len())
            .finish_non_exhaustive()
    }
}
