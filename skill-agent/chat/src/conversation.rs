//! The [`Chat`] type.

#[cfg(feature = "documents")]
use super::ContextPart;
use super::ids::StepNumber;
use super::setup::Setup;
use super::turn::{TurnTask, open_calls};
use super::{Canceller, Message, PendingCall, SystemPart};
use crate::history::compact::Compacted;
use std::fmt;
use std::sync::Arc;

/// A conversation between a person, a model and the tools of a toolbox.
///
/// ```
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// use serde_json::json;
/// use skill_agent::chat::{Chat, Scripted, Stop};
/// use skill_agent::prelude::*;
/// use skill_agent::toolbox::Toolbox;
/// # /// Notes of one person.
/// # #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
/// # #[serde(default)]
/// # #[skill(name = "notes", actions(AddNote))]
/// # pub struct Notes { pub lines: Vec<String> }
/// # /// Keep a note, and say how many there are.
/// # #[action]
/// # pub fn add_note(notes: &mut Notes, text: String) -> usize {
/// #     notes.lines.push(text);
/// #     notes.lines.len()
/// # }
/// # agent! { pub struct Assistant { name: "assistant", skills: [Notes] } }
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let server = AgentServer::builder(Assistant::new()).start().await?;
/// let model = Scripted::new()
///     .calls([("add_note", json!({ "text": "Buy milk." }))])
///     .text("I noted it.");
/// let mut chat = Chat::builder(model, Toolbox::of(&server)).build()?;
/// let turn = chat.send("Remember to buy milk.").await?;
/// assert_eq!((turn.text(), turn.stop), ("I noted it.", Stop::Answered));
/// # Ok(())
/// # }
/// ```
pub struct Chat {
    pub(super) setup: Arc<Setup>,
    pub(super) history: Arc<Vec<Message>>,
    compacted: Compacted,
    canceller: Canceller,
    /// A completion that was removed from the end of the history, because the results of its calls are missing. The program
    /// stopped while they ran.
    pub(super) begun: Option<Message>,
    /// Parts for the next message of the user.
    #[cfg(feature = "documents")]
    pub(super) contexts: Vec<ContextPart>,
}

impl Chat {
    pub(super) fn new(setup: Arc<Setup>, history: Vec<Message>) -> Self {
        Self {
            setup,
            history: Arc::new(history),
            compacted: Compacted::default(),
            canceller: Canceller::default(),
            begun: None,
            #[cfg(feature = "documents")]
            contexts: Vec::new(),
        }
    }

    /// Returns the calls waiting for approval.
    #[must_use]
    pub fn pending(&self) -> Vec<PendingCall> {
        open_calls(&self.history)
    }

    /// Returns the messages of all completed steps. You can store them and continue the conversation later in a new chat.
    #[must_use]
    pub fn history(&self) -> &[Message] {
        &self.history
    }

    /// Returns the parts of the system text, each with its origin. The chat passes the same parts to its layers for each request.
    #[must_use]
    pub fn system_parts(&self) -> &[SystemPart] {
        &self.setup.system
    }

    /// Returns the system text of the requests, before the layers change it.
    #[must_use]
    pub fn system_text(&self) -> String {
        super::model::system_text(&self.setup.system)
    }

    /// Returns a handle that cancels the turns of this chat.
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        self.canceller.clone()
    }

    /// Sets the completion that was removed from the end of the history, because the results of its calls are missing.
    #[doc(hidden)]
    pub fn set_begun(&mut self, begun: Option<Message>) {
        self.begun = begun;
    }

    /// Returns whether the model reads images.
    #[doc(hidden)]
    #[must_use]
    pub fn reads_images(&self) -> bool {
        self.setup.profile.images
    }

    /// Returns futures that wait until the servers of the toolbox have stopped.
    #[doc(hidden)]
    pub fn servers_closed(&self) -> Vec<impl Future<Output = ()> + Send + use<>> {
        self.setup.session.servers_closed()
    }

    /// Stores the compacted messages, which replace earlier turns in later requests.
    pub(super) fn keep(&mut self, compacted: Compacted) {
        self.compacted = compacted;
    }

    /// Creates a turn that starts at step `number`.
    pub(super) fn task(&mut self, number: StepNumber) -> TurnTask {
        let interruption = self.canceller.begin(self.setup.limits.time);
        TurnTask::new(
            Arc::clone(&self.setup),
            Arc::clone(&self.history),
            self.compacted.clone(),
            interruption,
            number,
        )
    }
}

impl fmt::Debug for Chat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chat")
            .field("messages", &self.history.len())
            .finish_non_exhaustive()
    }
}
