//! Laws of the server that owns an agent, without a store: signals, hooks, guard, mailbox, time, panics, async actions,
//! directives, children, subscriptions, and its end.
//!
//! Nothing here sleeps: time is a `ManualClock`, and tests wait for events.

mod support;

mod again;
mod approved;
mod blocked;
mod cancelled;
mod children;
mod directives;
mod emitted;
mod fairness;
mod flow;
mod guard;
mod handled;
mod jobs;
mod mailbox;
mod model;
mod mounted;
mod panics;
mod routed;
mod schedules;
mod stopping;
mod subscriptions;
