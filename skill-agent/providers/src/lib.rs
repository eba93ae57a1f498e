//! Models over HTTP: requests, responses and their formats.
//!
//! A completion is read in two steps. First, the events of a stream are assembled to the JSON that the server would send without
//! streaming. Then the readers of [`models`](skill_agent_models) read that JSON.

mod anthropic;
mod base_url;
mod chat_completions;
mod client;
mod clues;
mod connections;
mod decoder;
mod endpoint;
mod event_stream;
mod exchange;
mod exchange_stream;
mod failure;
mod format;
#[cfg(feature = "genai")]
mod gen_ai;
mod media;
mod responses;
mod retry_after;
mod secrets;
mod sent_tools;
mod settings;
#[cfg(test)]
mod tests;
mod tls;
mod usage;

#[cfg(feature = "genai")]
pub use ::genai;
pub use anthropic::Anthropic;
pub use chat_completions::OpenAi;
#[cfg(feature = "genai")]
pub use gen_ai::GenAi;
pub use responses::OpenAiResponses;
