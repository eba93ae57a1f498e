//! Tests of toolboxes. No test sleeps, and time limits are zero or never reached, except for the
//! second that servers have to tell the state of their tools.

#[path = "../common/cart_agent.rs"]
#[allow(dead_code)] // each binary uses a part of it
mod cart_agent;
#[path = "../common/hostile_schemas.rs"]
mod hostile_schemas;
#[path = "../common/recorded_traces.rs"]
#[allow(dead_code)] // each binary uses a part of it
mod recorded_traces;
#[path = "../common/rest_of_progress.rs"]
mod rest_of_progress;
#[path = "../common/script.rs"]
mod script;

mod approvals;
mod changes;
mod conditions;
mod decisions;
mod documents;
mod folder;
mod foreign_schemas;
mod guards;
mod lenient;
mod lists;
mod many_tools;
mod one_server;
mod progress;
mod results;
mod rules;
mod support;
mod wrapped;
