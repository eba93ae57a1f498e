//! Tests of the server without a store: signals, hooks, guard, mailbox, time, panics, async actions, directives,
//! children, subscriptions, and stopping.
//!
//! No test sleeps: time is a `ManualClock`, and tests wait for events.

#[macro_use]
#[path = "../common/listed_enum.rs"]
mod listed_enum;

#[path = "../common/errors.rs"]
mod errors;
#[path = "../common/fan_agent.rs"]
mod fan_agent;
#[path = "../common/recorded_traces.rs"]
#[allow(dead_code)] // each binary uses a part of it
mod recorded_traces;
#[path = "../common/rest_of_progress.rs"]
mod rest_of_progress;
mod support;

mod approval;
mod async_actions;
mod blocked;
mod cancelled;
mod children;
mod conditions;
mod deadlocks;
mod directives;
mod emitted;
mod erased;
mod fairness;
mod grace;
mod guard;
mod handle_signal;
mod lenient;
mod limits;
mod mailbox;
mod mistakes;
mod model;
mod mount_operations;
mod mounted;
mod mounted_documents;
mod panics;
mod progress;
mod renamed_skill;
mod resources;
mod resumed_signals;
mod routed;
mod schedules;
mod settings;
mod signal_pipeline;
mod stopping;
mod subscriptions;
mod traces;
