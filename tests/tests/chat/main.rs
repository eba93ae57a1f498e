//! Conversations of a scripted model with served agents.
//!
//! No test sleeps: waits are those of a paused clock, and calls wait at gates.

mod answers;
mod approvals;
mod calls;
mod edges;
mod genai;
mod hostile;
mod limits;
mod long;
mod replies;
mod resuming;
mod retries;
mod sources;
mod support;
mod turns;
