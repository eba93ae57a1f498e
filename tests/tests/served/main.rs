//! Tests of the server without a store: signals, hooks, guard, mailbox, time, panics, async actions, directives,
//! children, subscriptions, and stopping.
//!
//! No test sleeps: time is a `ManualClock`, and tests wait for events.

#[path = "../common/errors.rs"]
mod errors;
mod support;

mod approval;
mod async_actions;
mod blocked;
mod cancelled;
mod children;
mod directives;
mod emitted;
mod fairness;
mod guard;
mod handle_signal;
mod mailbox;
mod model;
mod mounted;
mod panics;
mod resumed_signals;
mod routed;
mod schedules;
mod signal_pipeline;
mod stopping;
mod subscriptions;
mod traces;
