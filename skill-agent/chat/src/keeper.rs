//! The interface to the code that keeps a conversation.

use crate::{ChatError, Message};
use skill_agent_server::{BoxFuture, ErasedServer};

/// Records a conversation while its turns run, and supplies the messages that the user sends meanwhile.
pub trait StepKeeper: Send + Sync + 'static {
    /// Returns the key under which a server keeps the output of a call until the result is recorded.
    fn key(&self, call_id: &str) -> String;

    /// Records messages at the end of the history. They are stored when the future completes. An error ends the turn.
    fn append<'a>(&'a self, recording: Recording<'a>) -> BoxFuture<'a, Result<(), ChatError>>;

    /// Records a new last message.
    fn replace_last<'a>(&'a self, recording: Recording<'a>)
    -> BoxFuture<'a, Result<(), ChatError>>;

    /// Takes the messages for the next request. They count as unsent until they are recorded.
    fn take_steered(&self) -> Vec<Message>;
}

/// Messages to record.
#[derive(Debug)]
pub struct Recording<'a> {
    /// The new messages, in the order of the history.
    pub messages: &'a [Message],
    /// The keys of the calls whose results are in the messages.
    pub released: Vec<ReleasedKey>,
    /// The tools that are about to be called, without those that only read.
    pub tools: Vec<BegunTool>,
}

impl<'a> Recording<'a> {
    pub(crate) fn of(message: &'a Message) -> Self {
        Self {
            messages: std::slice::from_ref(message),
            released: Vec::new(),
            tools: Vec::new(),
        }
    }
}

/// A tool that is about to be called.
#[derive(Debug)]
pub struct BegunTool {
    /// The tool's name.
    pub name: String,
    /// The name of its source.
    pub source: String,
    /// Whether the tool is an async action.
    pub is_async: bool,
    /// The server that runs the tool, if it is an action.
    pub server: Option<ErasedServer>,
}

/// The key of a call whose result is recorded, so that the server can release the output.
#[derive(Debug)]
pub struct ReleasedKey {
    /// The server that keeps the output.
    pub server: ErasedServer,
    /// The key that [`StepKeeper::key`] gave to the call.
    pub key: String,
}
