//! An office, and clients of both eras.

use rmcp::model::{CallToolRequestParams, CallToolResult, ProtocolVersion};
use rmcp::service::{RoleClient, RunningService};
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::mcp::{self, Handler};
use skill_agent::prelude::*;
use std::sync::Arc;
use tokio::sync::{Notify, Semaphore};

/// Notes on a desk.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "desk",
    actions(AddNote, Notes, Shred, Copy, Long),
    instructions = "Keep notes short."
)]
pub struct Desk {
    pub notes: Vec<String>,
}

/// Add a note.
#[action]
pub fn add_note(desk: &mut Desk, #[arg(length(1..=20))] text: String) -> usize {
    desk.notes.push(text);
    desk.notes.len()
}

/// All notes.
#[action]
pub fn notes(desk: &Desk) -> Vec<String> {
    desk.notes.clone()
}

/// Destroy all notes.
#[action(destructive)]
pub fn shred(desk: &mut Desk) {
    desk.notes.clear();
}

/// A copier that works as long as it has permits.
#[derive(Clone, Default)]
pub struct Copier(pub Arc<CopierState>);

/// The resources of the office.
#[derive(Clone, Default, Resources)]
pub struct Tools {
    pub copier: Copier,
}

pub struct CopierState {
    pub started: Notify,
    pub permits: Semaphore,
    pub stopped: Notify,
}

impl Default for CopierState {
    fn default() -> Self {
        Self {
            started: Notify::new(),
            permits: Semaphore::new(0),
            stopped: Notify::new(),
        }
    }
}

/// Says when the copying ends before its time.
struct Stopped(Copier);

impl Drop for Stopped {
    fn drop(&mut self) {
        self.0.0.stopped.notify_one();
    }
}

/// Copy all notes, some times.
#[action]
pub async fn copy(_: &Desk, cx: &mut Context<Desk>, copier: &Copier, times: u32) -> u32 {
    let stopped = Stopped(copier.clone());
    copier.0.started.notify_one();
    for time in 1..=times {
        cx.progress(json!({ "progress": time, "total": times, "message": "copying" }));
        copier.0.permits.acquire().await.unwrap().forget();
    }
    std::mem::forget(stopped);
    times
}

/// A text of some bytes.
#[action]
pub fn long(_: &Desk, bytes: usize) -> String {
    "x".repeat(bytes)
}

agent! {
    pub struct Office {
        name: "office",
        version: "1.2.0",
        skills: [Desk],
    }
}

pub type Client<H> = RunningService<RoleClient, H>;

/// The stateless era, and the one before.
pub const ERAS: [Era; 2] = [Era::Stateless, Era::Initialize];

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Era {
    Stateless,
    Initialize,
}

/// A client of an era for a handler.
pub async fn connected<H: ClientHandler>(
    handler: impl Into<Handler> + 'static,
    client: H,
    era: Era,
) -> Client<H> {
    let (here, there) = tokio::io::duplex(64 * 1024);
    tokio::spawn(mcp::serve(handler, there));
    let lifecycle = match era {
        Era::Stateless => ClientLifecycleMode::Discover {
            preferred_versions: vec![ProtocolVersion::LATEST],
        },
        Era::Initialize => ClientLifecycleMode::Initialize,
    };
    client.serve_with_lifecycle(here, lifecycle).await.unwrap()
}

pub fn params(name: &'static str, arguments: Value) -> CallToolRequestParams {
    let arguments = arguments.as_object().unwrap().clone();
    CallToolRequestParams::new(name).with_arguments(arguments)
}

/// The texts of a result, joined.
pub fn text(result: &CallToolResult) -> String {
    let texts = result
        .content
        .iter()
        .map(|block| block.as_text().unwrap().text.clone());
    texts.collect()
}
