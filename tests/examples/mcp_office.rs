//! An MCP server for the clients in `tests/clients`: over standard input and output, or with the argument `http` over HTTP, at the
//! address that it prints. It offers the documents in the folder `examples/documents`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::ToolBuf;
use skill_agent::manifest::{Catalog, Dialect, Source};
use skill_agent::mcp;
use skill_agent::prelude::*;
use skill_agent::toolbox::{
    BoxFuture, SourceCall, SourceError, SourceTool, ToolOutput, ToolSource, Toolbox,
};
use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Notes on a desk.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "desk",
    actions(AddNote, Notes, Shred),
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

agent! {
    pub struct Office {
        name: "office",
        version: "1.2.0",
        skills: [Desk],
    }
}

/// Tools that take long, and one that adds a tool.
#[derive(Clone, Default)]
struct Yard(Arc<YardState>);

#[derive(Default)]
struct YardState {
    has_grown: AtomicBool,
    stopped: AtomicUsize,
}

/// Counts a call that ends before its time.
struct Stopped<'a>(&'a AtomicUsize);

impl Drop for Stopped<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

impl Yard {
    async fn run(&self, call: SourceCall<'_>) -> Result<ToolOutput, SourceError> {
        match call.name {
            "dig" => {
                for at in 1..=3 {
                    if let Some(progress) = call.progress {
                        progress.send(json!({ "progress": at, "total": 3, "message": "digging" }));
                    }
                }
                Ok("dug".into())
            }
            "wait" => {
                let _stopped = Stopped(&self.0.stopped);
                if let Some(progress) = call.progress {
                    progress.send(1);
                }
                pending().await
            }
            "stopped" => Ok(self.0.stopped.load(Ordering::SeqCst).to_string().into()),
            _ => {
                self.0.has_grown.store(true, Ordering::SeqCst);
                Ok("grown".into())
            }
        }
    }
}

impl ToolSource for Yard {
    fn list(&self) -> BoxFuture<'_, Result<Vec<SourceTool>, SourceError>> {
        let mut names = vec!["dig", "wait", "stopped", "grow"];
        if self.0.has_grown.load(Ordering::SeqCst) {
            names.push("tree");
        }
        let tool = |name: &str| ToolBuf::new(name, "A tool.", empty()).into();
        let tools = names.into_iter().map(tool).collect();
        Box::pin(async { Ok(tools) })
    }

    fn call<'a>(&'a self, call: SourceCall<'a>) -> BoxFuture<'a, Result<ToolOutput, SourceError>> {
        Box::pin(self.run(call))
    }
}

fn empty() -> Value {
    json!({ "type": "object", "properties": {}, "additionalProperties": false })
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = AgentServer::builder(Office::new())
        .approver(mcp::ask_client())
        .start()
        .await?;
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/documents");
    let catalog = Catalog::builder(Dialect::TRIGGERED)
        .source(Source::project(folder))
        .load();
    let toolbox = Toolbox::builder()
        .server(&server)
        .catalog(catalog)
        .source("yard", Yard::default());
    let toolbox = toolbox.build().await?;
    if std::env::args().nth(1).as_deref() == Some("http") {
        let http = mcp::http(toolbox.clone()).bind("127.0.0.1:0").await?;
        println!("http://{}/mcp", http.local_addr());
        pending::<()>().await;
    }
    mcp::stdio(toolbox).await?;
    Ok(())
}
