//! Models over HTTP: requests, responses and their formats.
//!
//! A completion is read in two steps. First, the events of a stream are assembled into the JSON that the server would send
//! without streaming. Then the readers of [`models`](skill_agent_models) read that JSON.

mod anthropic;
mod chat_completions;
mod failure;
mod format;
mod from_env;
#[cfg(feature = "genai")]
mod gen_ai;
pub(crate) mod http;
mod responses;
mod settings;
#[cfg(test)]
mod tests;

#[cfg(feature = "genai")]
pub use ::genai;
pub use anthropic::Anthropic;
pub use chat_completions::OpenAi;
pub use from_env::{EnvError, providers_from_env};
#[cfg(feature = "genai")]
pub use gen_ai::GenAi;
pub use responses::OpenAiResponses;
