//! Tests of the server without a store: signals, hooks, guard, mailbox, time, panics, async actions, directives,
//! children, subscriptions, and stopping.
//!
//! No test sleeps: time is a `ManualClock`, and tests wait for events.

mod support;

mod approved;
mod async_actions;
mod blocked;
mod cancelled;
mod children;
mod directives;
mod emitted;
mod fairness;
mod flow;
mod guard;
mod handled;
mod mailbox;
mod model;
mod mounted;
mod panics;
mod reprocessed;
mod routed;
mod schedules;
mod stopping;
mod subscriptions;
