//! The conversations in memory.

use crate::assistant::Assistant;
use axum::http::StatusCode;
use skill_agent::AgentServer;
use skill_agent::chat::{Chat, ChatModel, Limits};
use skill_agent::prelude::Agent;
use skill_agent::server::{ApprovalRequest, Verdict};
use skill_agent::toolbox::Toolbox;
use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use uuid::Uuid;

/// The maximum number of conversations. A new one beyond it replaces the least recently used one.
pub const MAX_CHATS: usize = 100;

/// The number of messages after which a conversation is full.
pub const MAX_MESSAGES: usize = 200;

/// The conversations of all clients. Clones share them.
#[derive(Clone)]
pub struct Chats {
    model: Arc<dyn Fn() -> Box<dyn ChatModel> + Send + Sync>,
    slots: Arc<Mutex<HashMap<String, Slot>>>,
}

struct Slot {
    /// `None` while a turn runs.
    chat: Option<Chat>,
    used: Instant,
}

impl Chats {
    /// Creates an empty store. Each new conversation gets a model from `model`.
    pub fn new<M: ChatModel>(model: impl Fn() -> M + Send + Sync + 'static) -> Self {
        Self {
            model: Arc::new(move || Box::new(model())),
            slots: Arc::default(),
        }
    }

    /// Begins a conversation with its own agent. Returns an id that cannot be guessed.
    pub(crate) async fn begin(&self) -> Result<String, StatusCode> {
        let chat = self.chat().await.map_err(|error| {
            eprintln!("a conversation cannot begin: {error}");
            StatusCode::INTERNAL_SERVER_ERROR
        })?;
        let id = Uuid::new_v4().to_string();
        let mut slots = self.slots();
        if slots.len() >= MAX_CHATS {
            let idle = slots.iter().filter(|(_, slot)| slot.chat.is_some());
            let oldest = idle.min_by_key(|(_, slot)| slot.used);
            let oldest = oldest.map(|(id, _)| id.clone());
            slots.remove(&oldest.ok_or(StatusCode::SERVICE_UNAVAILABLE)?);
        }
        let (chat, used) = (Some(chat), Instant::now());
        slots.insert(id.clone(), Slot { chat, used });
        Ok(id)
    }

    async fn chat(&self) -> Result<Chat, Box<dyn Error>> {
        let server = AgentServer::builder(Assistant::new())
            .approver(|_: ApprovalRequest| async { Verdict::Later })
            .start()
            .await?;
        let limits = Limits::default().time(Duration::from_secs(5 * 60));
        let chat = Chat::builder((self.model)(), Toolbox::of(&server))
            .system("You keep notes.")
            .limits(limits)
            .build()?;
        Ok(chat)
    }

    /// Takes a conversation for a new turn.
    pub(crate) fn take_for_turn(&self, id: &str) -> Result<Chat, StatusCode> {
        let chat = self.take(id)?;
        if chat.history().len() < MAX_MESSAGES {
            return Ok(chat);
        }
        self.put(id, chat);
        Err(StatusCode::INSUFFICIENT_STORAGE)
    }

    /// Takes a conversation.
    pub(crate) fn take(&self, id: &str) -> Result<Chat, StatusCode> {
        let mut slots = self.slots();
        let slot = slots.get_mut(id).ok_or(StatusCode::NOT_FOUND)?;
        slot.chat.take().ok_or(StatusCode::CONFLICT)
    }

    /// Puts a conversation back after its turn.
    pub(crate) fn put(&self, id: &str, chat: Chat) {
        if let Some(slot) = self.slots().get_mut(id) {
            slot.chat = Some(chat);
            slot.used = Instant::now();
        }
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<String, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
