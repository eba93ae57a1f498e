//! Conversations of a scripted model with served agents.
//!
//! No test sleeps: a paused clock ends waits, and calls wait at gates.

#[path = "../common/cart_agent.rs"]
#[allow(dead_code)] // each binary uses a part of it
mod cart_agent;
#[path = "../common/warnings.rs"]
mod log;

mod agent_files;
mod answers;
mod approvals;
mod calls;
mod chat_tools;
mod completions;
mod conditions;
mod contexts;
mod deferred;
mod dropped_conversations;
mod edges;
mod fallback;
mod faults;
mod genai;
mod hostile;
mod layers;
mod lenient;
mod limits;
mod local;
mod long;
mod mistakes;
mod mistakes_in_turns;
mod progress;
mod progress_of_sources;
mod questions;
mod rate_limits;
mod resuming;
mod retries;
mod same_names;
mod selecting;
mod settings;
mod sources;
mod states;
mod summaries;
mod support;
mod turns;
mod verdicts;
mod warnings;
mod wire;
