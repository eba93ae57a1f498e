//! Chains of models: when one fails, the next one is asked. The guide is docs/fallback.md.

mod answers;
mod build;
mod order;
mod random;
mod requests;
mod wire;

use crate::support::*;
use skill_agent::chat::{Chat, ChatBuilder, ChatModel, ModelError, ModelProfile, Scripted};
use skill_agent::models::Provider;
use skill_agent::prelude::AgentServer;
use skill_agent::toolbox::Toolbox;
use std::time::Duration;

pub const CUT_OFF: ModelError = ModelError::CutOff { request_id: None };

pub fn status(status: u16, retry_after: Option<u64>) -> ModelError {
    ModelError::Status {
        status,
        request_id: None,
        message: "not now".into(),
        retry_after: retry_after.map(Duration::from_secs),
    }
}

/// An account without credit.
pub fn exhausted(retry_after: Option<u64>) -> ModelError {
    ModelError::AccountExhausted {
        request_id: None,
        message: "no credit".into(),
        retry_after: retry_after.map(Duration::from_secs),
    }
}

pub fn builder_of(model: impl ChatModel, server: &AgentServer<Assistant>) -> ChatBuilder {
    Chat::builder(model, Toolbox::of(server))
}

pub fn chat_of(model: impl ChatModel, server: &AgentServer<Assistant>) -> Chat {
    builder_of(model, server).build().unwrap()
}

/// A model that fails with these errors, one in each request.
pub fn failing(errors: impl IntoIterator<Item = ModelError>) -> Scripted {
    errors.into_iter().fold(Scripted::new(), Scripted::error)
}

/// A model that greets in each request.
pub fn greeting() -> Scripted {
    (0..9).fold(Scripted::new(), |model, _| model.text("Hello."))
}

pub fn profile(provider: Provider) -> ModelProfile {
    ModelProfile::new(provider)
}
