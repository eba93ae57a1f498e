//! Durability of a served agent: recovery, commits before responses, repeated commands, pending directives.

#[macro_use]
#[path = "../common/listed_enum.rs"]
mod listed_enum;

#[path = "../common/fan_agent.rs"]
#[allow(dead_code)] // `served` uses all of it
mod fan_agent;

#[path = "../common/recorded_traces.rs"]
#[allow(dead_code)] // each binary uses a part of it
mod recorded_traces;

#[path = "../common/errors.rs"]
mod errors;

#[path = "../common/restarts.rs"]
mod restarts;

mod bounded_keys;
mod child_requests;
mod clock_jumps;
mod commits;
mod configuration;
mod crons;
mod declared;
mod directives;
mod failed_starts;
mod faults;
mod golden;
mod guarded;
mod hanging;
mod keys;
mod killed;
mod library_agent;
mod limits;
mod log;
mod manual_sink;
mod mounts;
mod numbers;
mod panics;
mod repeated_commands;
mod repeats;
mod restart;
mod schedules;
mod secrets;
mod state_types;
mod store_file;
mod uncommitted;
mod unrecorded_commands;

use errors::chain;
use restarts::{kill, start, subscribed};
use skill_agent::core::Agent;
use skill_agent::prelude::*;
use skill_agent::server::AgentServerBuilder;
use skill_agent::store::{Record, Recovered, Store};

/// A builder for a `Library` server on a store.
fn book_on(store: impl Store) -> AgentServerBuilder<library_agent::Library> {
    AgentServer::builder(library_agent::Library::with_id("lib-1")).store(store)
}

/// The state of the book.
async fn read(server: &AgentServer<library_agent::Library>) -> library_agent::Book {
    server.agent().await.unwrap().state().book.clone()
}

/// The content of a store that no server uses.
async fn recovered(store: &impl Store) -> Recovered {
    store.open("lib-1").unwrap().recover().await.unwrap()
}

async fn records(store: &impl Store) -> Vec<Record> {
    recovered(store).await.records
}
