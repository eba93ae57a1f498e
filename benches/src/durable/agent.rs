//! The agent that is stored.

use super::{Bench, Server};
use crate::calls::typed::{Counter, Step};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;
use skill_agent::server::AgentServerBuilder;
use skill_agent::store::{Redb, Store};
use std::path::Path;

/// The size of a text, in bytes.
pub const TEXT: usize = 1_000;

/// Keeps texts of 1,000 bytes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "notes", actions(Fill, Recite))]
pub struct Notes {
    /// The texts.
    pub texts: Vec<String>,
    /// How often a text was recited.
    pub recited: u64,
}

/// Keep this many texts.
#[action]
pub fn fill(notes: &mut Notes, texts: usize) -> usize {
    notes.texts = vec!["x".repeat(TEXT); texts];
    notes.texts.len()
}

/// Recite a text of this many bytes.
#[action]
pub fn recite(notes: &mut Notes, bytes: usize) -> String {
    notes.recited += 1;
    "x".repeat(bytes)
}

/// Counts the steps of chains.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "relay", actions(Pass))]
pub struct Relay {
    /// The number of steps.
    pub steps: u64,
}

/// The type of the signal at the end of a chain.
pub const CHAIN_ENDED: &str = "relay.ended";

/// Take a step, then run the others, and emit a signal after the last one.
#[action]
pub fn pass(relay: &mut Relay, cx: &mut Context<Relay>, others: u64) {
    relay.steps += 1;
    match others.checked_sub(1) {
        Some(others) => cx.run(Instruction::new("pass", json!({ "others": others }))),
        None => cx.emit(Signal::new(CHAIN_ENDED, json!({}))),
    }
}

agent! {
    /// Counts, keeps texts, and takes steps.
    pub struct DurableAgent {
        name: "durable_agent",
        skills: [Counter, Notes, Relay],
    }
}

/// The id of the agent in its store.
pub const ID: &str = "bench-1";

/// The action of a call with a small state.
pub const STEP: Step = Step { by: 1, times: 1 };

/// An agent with this many texts.
pub fn filled(texts: usize) -> DurableAgent {
    let mut agent = DurableAgent::with_id(ID);
    let Ok(_) = agent.cmd(Fill { texts });
    agent
}

/// A builder for a server on a store.
pub fn on(agent: DurableAgent, store: impl Store) -> AgentServerBuilder<DurableAgent> {
    AgentServer::builder(agent).store(store)
}

/// Starts a server on a file, with the agent that is stored there or a fresh one.
pub fn start(bench: &Bench<'_>, path: &Path) -> Server {
    let store = Redb::open(path).expect("the store opens");
    let server = bench.runtime.block_on(on(filled(0), store).start());
    server.expect("the server starts")
}

/// Ends a server without a snapshot, and waits until its store is closed.
pub async fn close(server: Server) {
    server.kill();
    server.closed().await;
}
