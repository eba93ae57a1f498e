//! Tests of MCP: an agent behind a client of rmcp, and a server of rmcp in a toolbox, over a connection in memory.
//!
//! No test sleeps: time is paused where it matters, and tests wait for events.

#[path = "../common/cart_agent.rs"]
#[allow(dead_code)] // each binary uses a part of it
mod cart_agent;
#[path = "../common/script.rs"]
#[allow(dead_code)] // each binary uses a part of it
mod script;
#[path = "../common/warnings.rs"]
mod warnings;

mod far;
mod raw;
mod support;

mod approvals;
mod auth;
mod calls;
mod changes;
mod conditions;
mod deferred;
mod documents;
mod floods;
mod hostile;
mod http;
mod interrupted_turns;
mod listed_names;
mod login;
mod misused_server;
mod opening_errors;
mod openings;
mod over_http;
mod proxies;
mod refused_sign_in;
mod remote;
mod remote_agent;
mod remote_skills;
mod sign_in;
mod sign_in_in_a_chat;
mod tools;
mod trusted_in_turns;
mod typed_over_http;
mod wrapped;
