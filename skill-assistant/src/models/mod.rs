//! The model: chosen by options and keys, found on this machine, or recorded.

#[cfg(feature = "http")]
mod choose;
pub(crate) mod demo;
#[cfg(feature = "http")]
mod local;

#[cfg(feature = "http")]
pub(crate) use choose::choose;

use skill_agent::chat::{Chat, ChatBuilder, ChatModel};
use skill_agent::toolbox::Toolbox;
use std::sync::Arc;

const SYSTEM: &str = "You are an assistant in a person's terminal. Use the tools for everything that they can do, and answer in a \
     few plain sentences. The person is asked before a file is written, something is thrown away, or a request leaves this machine.";

/// A model with its system text, and its name for the person.
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) name: String,
    /// Whether the model gets documents.
    pub(crate) has_documents: bool,
    chat: Arc<dyn Fn(Toolbox) -> ChatBuilder + Send + Sync>,
}

impl Model {
    pub(crate) fn new(model: impl ChatModel, name: impl Into<String>) -> Self {
        let model: Arc<dyn ChatModel> = Arc::new(model);
        Self::with_chat(name, true, move |toolbox| {
            Chat::builder(Arc::clone(&model), toolbox).system(SYSTEM)
        })
    }

    fn with_chat(
        name: impl Into<String>,
        has_documents: bool,
        chat: impl Fn(Toolbox) -> ChatBuilder + Send + Sync + 'static,
    ) -> Self {
        let (name, chat) = (name.into(), Arc::new(chat));
        Self {
            name,
            has_documents,
            chat,
        }
    }

    /// Returns the builder of a chat with the tools.
    pub(crate) fn chat(&self, toolbox: Toolbox) -> ChatBuilder {
        (self.chat)(toolbox)
    }
}
