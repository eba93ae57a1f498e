//! The model: chosen by options and keys, found on this machine, or recorded.

#[cfg(feature = "http")]
mod choose;
pub(crate) mod demo;
#[cfg(feature = "http")]
mod local;

#[cfg(feature = "http")]
pub(crate) use choose::choose;

use skill_agent::chat::ChatModel;
use std::sync::Arc;

/// A model and its name for the person.
#[derive(Clone)]
pub(crate) struct Model {
    pub(crate) model: Arc<dyn ChatModel>,
    pub(crate) name: String,
}

impl Model {
    pub(crate) fn new(model: impl ChatModel, name: impl Into<String>) -> Self {
        let (model, name) = (Arc::new(model), name.into());
        Self { model, name }
    }
}
