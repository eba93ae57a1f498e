//! One conversation.

mod begin;
mod closing;
mod keeper;
mod keys;
mod rewind;
mod steer;
mod storage;
mod turn;
mod turns;
mod verdict;
mod whole;

pub(crate) use begin::Begin;
pub(crate) use closing::Closing;
pub(crate) use keys::MessageKey;

use crate::cell::TurnCell;
use crate::conversation::keys::TurnKey;
use crate::events::EventLog;
use crate::info::{ConversationInfo, ConversationPage, ConversationStatus};
use crate::rows::{Head, Redo, Rest, TurnRow};
use crate::stored::Stored;
use skill_agent_chat::__private::{open_calls, split_begun};
use skill_agent_chat::{BuildError, Canceller, Chat, ChatBuilder, ChatError, Message};
use skill_agent_server::__private::{RowsClaim, drop_caught, time};
use skill_agent_server::{BoxFuture, ErasedServer};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{Notify, Semaphore};

/// A function that builds the chat of a conversation.
pub(crate) type Build =
    Box<dyn Fn(String) -> BoxFuture<'static, Result<ChatBuilder, BuildError>> + Send + Sync>;

/// Settings and handles that the conversations of one server share.
pub(crate) struct Shared {
    pub(crate) server: ErasedServer,
    pub(crate) build: Build,
    /// Permits for running turns.
    pub(crate) running: Arc<Semaphore>,
    pub(crate) most_bytes: u64,
    pub(crate) idle_after: Duration,
    pub(crate) closing: Closing,
    /// Released when the last turn has ended, even if the program drops its handles earlier.
    pub(crate) _claim: RowsClaim,
}

/// A conversation, and the state of its turn.
pub(crate) struct Conversation {
    pub(crate) id: String,
    /// The number of the conversation's group of rows.
    pub(crate) group: u64,
    pub(crate) shared: Arc<Shared>,
    pub(crate) events: EventLog,
    state: Mutex<State>,
    /// Locked while a change is made and written, so that heads are written in order.
    writes: tokio::sync::Mutex<()>,
    /// Notified when a turn is cancelled, for a turn that has not started yet.
    cancelled: Notify,
    /// Notified when a turn ends or cannot begin.
    ended: Notify,
}

struct State {
    head: Head,
    /// The stored rows, loaded at the first use.
    loaded: Option<Loaded>,
    /// Rises when `loaded` is dropped. Rows that were read before may be older than a change.
    generation: u64,
    /// The chat, while no turn is running.
    chat: Option<Chat>,
    /// The turn that is running or waits for its start.
    turn: Option<TurnState>,
    /// The cell of the turn that begins next.
    next: Arc<TurnCell>,
    /// The latest key of a message, as a hash, and its turn.
    keyed: Option<(String, Arc<TurnCell>)>,
    /// Whether the model reads images, or `None` until a chat has been built.
    reads_images: Option<bool>,
    used: Instant,
    /// Alive while the server keeps the marks of the conversation's turns in memory.
    lease: Arc<()>,
    /// Whether no turn may begin, because the conversation is being deleted.
    is_deleted: bool,
    /// Whether the conversation's rows are deleted.
    is_gone: bool,
}

/// A turn that is running or waits for its start.
struct TurnState {
    cell: Arc<TurnCell>,
    canceller: Option<Canceller>,
    is_queued: bool,
    is_cancelled: bool,
    /// The number of queued messages that entered a request and are not recorded yet.
    steered: usize,
    /// The key of the message with which it began.
    key: Option<TurnKey>,
}

impl TurnState {
    fn new(cell: Arc<TurnCell>, key: Option<TurnKey>) -> Self {
        Self {
            cell,
            canceller: None,
            is_queued: true,
            is_cancelled: false,
            steered: 0,
            key,
        }
    }
}

/// The messages of a conversation, as readers see them.
struct Loaded {
    /// The messages of all complete steps, and the message that began the running turn.
    shown: Arc<Vec<Message>>,
    /// The number of the last event that `shown` covers.
    last_event: Option<u64>,
    /// A completion whose results are missing.
    begun: Option<Message>,
    queued: Vec<(u64, Message)>,
    /// The turns of the history, by number.
    turns: BTreeMap<u64, TurnRow>,
    /// The turns that were taken back, the last ones first.
    redo: Vec<Redo>,
    /// The rows of the turns that were taken back.
    taken_back: BTreeMap<u64, TurnRow>,
}

impl Conversation {
    pub(crate) fn new(shared: Arc<Shared>, group: u64, head: Head) -> Arc<Self> {
        Arc::new(Self {
            id: head.origin.id.clone(),
            group,
            events: EventLog::starting_at(head.events),
            shared,
            state: Mutex::new(State {
                head,
                loaded: None,
                generation: 0,
                chat: None,
                turn: None,
                next: Arc::default(),
                keyed: None,
                reads_images: None,
                used: Instant::now(),
                lease: Arc::default(),
                is_deleted: false,
                is_gone: false,
            }),
            writes: tokio::sync::Mutex::new(()),
            cancelled: Notify::new(),
            ended: Notify::new(),
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // no user code runs under the lock
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn info(&self) -> ConversationInfo {
        self.state().info()
    }

    /// Returns the conversation as it is now.
    pub(crate) async fn page(&self) -> Result<ConversationPage, ChatError> {
        self.load().await?;
        let state = self.state();
        let Some(loaded) = &state.loaded else {
            return Err(self.unknown());
        };
        Ok(ConversationPage {
            info: state.info(),
            history: loaded.shown.to_vec(),
            turns: loaded.starts(),
            pending: open_calls(&loaded.shown),
            queued: loaded
                .queued
                .iter()
                .map(|(_, message)| message.clone())
                .collect(),
            last_event: loaded.last_event,
        })
    }

    /// Loads the stored rows, unless they are already loaded.
    async fn load(&self) -> Result<(), ChatError> {
        loop {
            let (conversation, lease, generation) = {
                let state = self.state();
                if state.loaded.is_some() {
                    return Ok(());
                }
                let lease = Arc::downgrade(&state.lease);
                (state.head.origin.uid.clone(), lease, state.generation)
            };
            let loaded = self.shared.server.load_turns(conversation, lease).await;
            loaded.map_err(ChatError::store)?;
            let rows = self.shared.server.read_rows(self.group).await;
            let rows = rows.map_err(ChatError::store)?;
            let stored = Stored::of(&rows).map_err(|problem| self.unreadable(problem))?;
            let mut history = stored.history;
            let begun = split_begun(&mut history);
            let mut state = self.state();
            if state.is_gone {
                return Ok(());
            }
            if state.generation != generation {
                continue;
            }
            state.loaded.get_or_insert(Loaded {
                shown: Arc::new(history),
                last_event: self.events.last(),
                begun,
                queued: stored.queued,
                turns: stored.turns,
                redo: stored.redo,
                taken_back: stored.taken_back,
            });
        }
    }

    fn unknown(&self) -> ChatError {
        ChatError::unknown(&self.id)
    }

    fn unreadable(&self, problem: String) -> ChatError {
        ChatError::stored(&self.id, problem)
    }

    /// Drops the chat if the conversation has been idle for a while and has no handle. Forgets the events after `kept_events`.
    pub(crate) fn drop_idle(self: &Arc<Self>, kept_events: Duration) {
        let mut state = self.state();
        let idle = state.used.elapsed();
        if state.turn.is_some() {
            return;
        }
        if idle >= kept_events {
            self.events.clear();
            state.keyed = None;
        }
        // the list of conversations holds one reference itself
        if idle < self.shared.idle_after || Arc::strong_count(self) > 1 {
            return;
        }
        state.lease = Arc::default();
        self.forget(state);
    }

    /// Drops the chat and the loaded rows. The rows are read again at the next use. Releases the lock before it drops the chat,
    /// because this runs the program's code.
    fn forget(&self, mut state: MutexGuard<'_, State>) {
        state.unload();
        let chat = state.chat.take();
        if let Some(chat) = &chat {
            self.shared.closing.add(&self.id, chat);
        }
        drop(state);
        drop_caught(chat);
    }
}

impl State {
    fn unload(&mut self) {
        self.loaded = None;
        self.generation += 1;
    }

    /// Returns the messages that wait for a request, with their numbers.
    fn queued(&self) -> &[(u64, Message)] {
        self.loaded.as_ref().map_or(&[], |loaded| &loaded.queued)
    }

    fn info(&self) -> ConversationInfo {
        let head = &self.head;
        ConversationInfo {
            id: head.origin.id.clone(),
            title: head.title.clone(),
            turns: head.turns,
            last_turn: head.last_turn.filter(|turn| *turn >= head.own_from),
            began: time(head.origin.began),
            changed: time(head.changed),
            status: match (&self.turn, head.rest) {
                (Some(turn), _) if turn.is_queued => ConversationStatus::Queued,
                (Some(_), _) => ConversationStatus::Running,
                (None, Rest::Idle) => ConversationStatus::Idle,
                (None, Rest::Waiting) => ConversationStatus::Waiting,
                (None, Rest::Interrupted) => ConversationStatus::Interrupted,
            },
        }
    }
}

impl fmt::Debug for Conversation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Conversation")
            .field("id", &self.id)
            .finish_non_exhaustive()
    }
}
