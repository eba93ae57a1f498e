//! The providers whose keys are in environment variables.

use crate::{Anthropic, OpenAi, OpenAiResponses};
use skill_agent_chat::Providers;
use std::env::{self, VarError};

const OPENAI_KEY: &str = "OPENAI_API_KEY";
const OPENAI_URL: &str = "OPENAI_BASE_URL";
const ANTHROPIC_KEY: &str = "ANTHROPIC_API_KEY";
const ANTHROPIC_URL: &str = "ANTHROPIC_BASE_URL";

/// The error for an environment variable that a provider needs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EnvError {
    /// The variable is not set, or it is empty.
    #[error("the environment variable `{variable}` is not set")]
    #[non_exhaustive]
    Missing {
        /// The variable's name.
        variable: &'static str,
    },
    /// The variable's value is not UTF-8.
    #[error("the environment variable `{variable}` is not UTF-8")]
    #[non_exhaustive]
    NotUtf8 {
        /// The variable's name.
        variable: &'static str,
    },
}

/// Returns providers with keys and addresses from environment variables, which are read now:
///
/// | provider | model | needs | may have |
/// | --- | --- | --- | --- |
/// | `openai` | [`OpenAiResponses`] | `OPENAI_API_KEY` | `OPENAI_BASE_URL` |
/// | `openai-compatible` | [`OpenAi`], for other servers with the API Chat Completions | `OPENAI_BASE_URL` | `OPENAI_API_KEY` |
/// | `anthropic` | [`Anthropic`] | `ANTHROPIC_API_KEY` | `ANTHROPIC_BASE_URL` |
///
/// An empty variable counts as missing. A missing variable is an error only when a model of its provider is created.
///
/// ```
/// use skill_agent::chat::{OpenAi, providers_from_env};
///
/// let providers = providers_from_env()
///     .with("local", |model: &str| OpenAi::new("", model).base_url("http://localhost:8080/v1"));
/// let names: Vec<_> = providers.names().collect();
/// assert_eq!(names, ["anthropic", "local", "openai", "openai-compatible"]);
/// ```
#[must_use]
pub fn providers_from_env() -> Providers {
    providers_from(|variable| env::var(variable))
}

/// Returns providers with keys and addresses from variables.
pub(crate) fn providers_from(read: impl Fn(&str) -> Result<String, VarError>) -> Providers {
    let read = |variable| match read(variable) {
        Ok(value) if !value.trim().is_empty() => Ok(value),
        Ok(_) | Err(VarError::NotPresent) => Err(EnvError::Missing { variable }),
        Err(VarError::NotUnicode(_)) => Err(EnvError::NotUtf8 { variable }),
    };
    let optional = |variable| match read(variable) {
        Ok(value) => Ok(Some(value)),
        Err(EnvError::Missing { .. }) => Ok(None),
        Err(error) => Err(error),
    };
    let (openai_key, openai_url) = (read(OPENAI_KEY), optional(OPENAI_URL));
    let (local_key, local_url) = (optional(OPENAI_KEY), read(OPENAI_URL));
    let (anthropic_key, anthropic_url) = (read(ANTHROPIC_KEY), optional(ANTHROPIC_URL));
    Providers::new()
        .with("openai", move |model| {
            let created = OpenAiResponses::new(openai_key.clone()?, model);
            Ok::<_, EnvError>(match openai_url.clone()? {
                Some(url) => created.base_url(url),
                None => created,
            })
        })
        .with("openai-compatible", move |model| {
            let url = local_url.clone()?;
            let key = local_key.clone()?.unwrap_or_default();
            Ok::<_, EnvError>(OpenAi::new(key, model).base_url(url))
        })
        .with("anthropic", move |model| {
            let created = Anthropic::new(anthropic_key.clone()?, model);
            Ok::<_, EnvError>(match anthropic_url.clone()? {
                Some(url) => created.base_url(url),
                None => created,
            })
        })
}
