//! Takes turns back, and forks conversations.

mod error;
mod preview;

pub use error::RewindError;
pub use preview::{LastingEffect, RewindPreview, Rewound, RewoundState};

use crate::conversations::{Conversations, detached};
use crate::entries::Inner;
use skill_agent_server::__private::Changer;
use skill_agent_server::BoxFuture;
use std::fmt;
use std::sync::Arc;

/// Takes turns back, or brings them back, when it is awaited. Created by [`Conversations::rewind`] and [`Conversations::redo`].
#[must_use = "nothing is taken back until this is awaited"]
pub struct Rewind {
    inner: Arc<Inner>,
    id: String,
    step: Step,
    force: bool,
}

/// Which turns to take back or to bring back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// To take back this turn and all later ones.
    Back(u64),
    /// To bring back the turns that were taken back last.
    Forth,
}

impl Conversations {
    /// Takes back a turn and all later ones: the history, the activations of documents, and the states of the agent's skills are
    /// as they were before the turn began. One commit does all of this. Scheduled signals of the turns that still wait are
    /// withdrawn, and so are their open approvals and the queued messages.
    ///
    /// [`preview_rewind`](Self::preview_rewind) tells what would change and what would stay. [`redo`](Self::redo) brings the turns
    /// back. Readers of events get [`Event::Restarted`](skill_agent_chat::Event::Restarted).
    ///
    /// ```
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// # use serde_json::json;
    /// # use skill_agent::chat::{Chat, Conversations, Scripted};
    /// # use skill_agent::prelude::*;
    /// # use skill_agent::store::Memory;
    /// # use skill_agent::toolbox::Toolbox;
    /// # /// Notes of one person.
    /// # #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    /// # #[serde(default)]
    /// # #[skill(name = "notes", actions(AddNote))]
    /// # pub struct Notes { pub lines: Vec<String> }
    /// # /// Keep a note.
    /// # #[action]
    /// # pub fn add_note(notes: &mut Notes, text: String) { notes.lines.push(text); }
    /// # agent! { pub struct Assistant { name: "assistant", skills: [Notes] } }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let server = AgentServer::builder(Assistant::with_id("main")).store(Memory::default()).start().await?;
    /// # let toolbox = Toolbox::of(&server);
    /// # let model = Scripted::new().calls([("add_note", json!({ "text": "milk" }))]).text("Noted.");
    /// # let chats = Conversations::open(&server, move |_id| Chat::builder(model.clone(), toolbox.clone())).await?;
    /// chats.send("ann/1", "Buy milk.").await?;
    /// assert_eq!(server.agent().await?.state().notes.lines, ["milk"]);
    /// let last = chats.get("ann/1").await?.info.last_turn.ok_or("nothing to undo")?;
    /// let rewound = chats.rewind("ann/1", last).await?;
    /// assert_eq!(rewound.message.text(), "Buy milk.");
    /// assert!(server.agent().await?.state().notes.lines.is_empty());
    /// chats.redo("ann/1").await?;
    /// assert_eq!(server.agent().await?.state().notes.lines, ["milk"]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// Returns [`RewindError::Busy`] while a turn is running, [`RewindError::Running`] while a command that the turns queued is
    /// running, [`RewindError::NoTurn`] for a number that no turn of the history has, [`RewindError::TooOld`] if the states are no
    /// longer kept, [`RewindError::Changed`] if another caller has changed a skill since, unless [`force`](Rewind::force) is
    /// called, [`RewindError::OtherAgent`] if the turns have called an agent with another log, and [`RewindError::Chat`] if the
    /// conversation is unknown or the log cannot be read or written.
    pub fn rewind(&self, id: impl Into<String>, turn: u64) -> Rewind {
        self.step(id.into(), Step::Back(turn))
    }

    /// Brings back the turns that [`rewind`](Self::rewind) took back last, until the conversation records its next message. After
    /// several calls of `rewind`, each call brings back the turns of one.
    ///
    /// # Errors
    /// Returns [`RewindError::NothingToRedo`] if there are no such turns. Also returns the same errors as [`rewind`](Self::rewind),
    /// and [`RewindError::Scheduled`] if another signal has the key of a signal to bring back, unless [`force`](Rewind::force) is
    /// called.
    pub fn redo(&self, id: impl Into<String>) -> Rewind {
        self.step(id.into(), Step::Forth)
    }

    fn step(&self, id: String, step: Step) -> Rewind {
        Rewind {
            inner: Arc::clone(&self.inner),
            id,
            step,
            force: false,
        }
    }

    /// Returns the effect that [`rewind`](Self::rewind) would have, without a change.
    ///
    /// # Errors
    /// Returns [`RewindError::NoTurn`] or [`RewindError::Chat`]. The other errors of `rewind` are in
    /// [`RewindPreview::refused`].
    pub async fn preview_rewind(
        &self,
        id: impl AsRef<str>,
        turn: u64,
    ) -> Result<RewindPreview, RewindError> {
        self.preview(id.as_ref(), Step::Back(turn)).await
    }

    /// Returns the effect that [`redo`](Self::redo) would have, without a change.
    ///
    /// # Errors
    /// Returns [`RewindError::NothingToRedo`] or [`RewindError::Chat`]. The other errors of `redo` are in
    /// [`RewindPreview::refused`].
    pub async fn preview_redo(&self, id: impl AsRef<str>) -> Result<RewindPreview, RewindError> {
        self.preview(id.as_ref(), Step::Forth).await
    }

    async fn preview(&self, id: &str, step: Step) -> Result<RewindPreview, RewindError> {
        let conversation = self.inner.find(id)?;
        let by = |changer: Changer| self.inner.words(changer);
        conversation.preview(step, by).await
    }

    /// Begins the conversation `new` with the history from before a turn. The number after the last turn copies the whole
    /// history. States are not copied: both conversations change the same agent.
    ///
    /// # Errors
    /// Returns [`RewindError::Busy`] while a turn is running, [`RewindError::NoTurn`] for a number that no turn of the history
    /// has, and [`RewindError::Chat`] if `id` is unknown, there already is a conversation `new`, or it cannot be stored.
    pub async fn fork(
        &self,
        id: impl AsRef<str>,
        turn: u64,
        new: impl Into<String>,
    ) -> Result<(), RewindError> {
        let forked = self.inner.find(id.as_ref())?.copy_before(turn).await?;
        let (this, new) = (Arc::clone(&self.inner), new.into());
        let stored = detached(async move {
            loop {
                let conversation = this.get_or_create(&new)?;
                let stored = conversation.begin_with(forked.clone()).await;
                if !this.is_to_repeat(&conversation, &stored).await {
                    return stored;
                }
            }
        });
        Ok(stored.await?)
    }
}

impl Rewind {
    /// Also restores the states of skills that another conversation, a schedule or the program has changed since, and replaces
    /// signals that were scheduled since. Those changes and signals are lost.
    pub fn force(mut self) -> Self {
        self.force = true;
        self
    }

    async fn run(self) -> Result<Rewound, RewindError> {
        let conversation = self.inner.find(&self.id)?;
        let inner = Arc::clone(&self.inner);
        let by = move |changer: Changer| inner.words(changer);
        conversation.step(self.step, self.force, by).await
    }
}

impl IntoFuture for Rewind {
    type Output = Result<Rewound, RewindError>;
    type IntoFuture = BoxFuture<'static, Self::Output>;

    fn into_future(self) -> Self::IntoFuture {
        Box::pin(detached(Box::pin(self.run())))
    }
}

impl Inner {
    /// Describes the command that changed a skill, and the conversation that it came from.
    fn words(&self, changer: Changer) -> String {
        let Changer {
            command,
            conversation,
        } = changer;
        let Some(uid) = conversation else {
            return command;
        };
        let entries = self.entries();
        let mut conversations = entries.values();
        match conversations.find(|conversation| conversation.has_uid(&uid)) {
            Some(conversation) => format!("{command} of the conversation `{}`", conversation.id),
            None => format!("{command} of a deleted conversation"),
        }
    }
}

impl fmt::Debug for Rewind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rewind")
            .field("id", &self.id)
            .field("step", &self.step)
            .field("force", &self.force)
            .finish_non_exhaustive()
    }
}
