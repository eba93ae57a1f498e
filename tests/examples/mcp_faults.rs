//! Both ends of MCP for tests/clients/mcp_faults.py, which plays the hostile peer.
//!
//! ```text
//! mcp_faults principals           a server over HTTP with an agent for each principal; the token is its name
//! mcp_faults remote URL           a program that uses the server at URL
//! mcp_faults remote PROGRAM ARG…  a program that uses a server that it starts
//! ```
//!
//! `remote` reads words from standard input and answers each with a line of JSON: `list` lists the toolbox, and any other word calls
//! the tool of that name.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::mcp::{self, Auth, ConnectError, McpClient, Principal};
use skill_agent::prelude::*;
use skill_agent::toolbox::{ToolSession, Toolbox};
use std::error::Error;
use std::future::pending;
use tokio::io::{AsyncBufReadExt, BufReader, stdin};

/// Notes on a desk.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "desk", actions(AddNote, Notes))]
pub struct Desk {
    pub notes: Vec<String>,
}

/// Add a note.
#[action]
pub fn add_note(desk: &mut Desk, text: String) {
    desk.notes.push(text);
}

/// All notes.
#[action]
pub fn notes(desk: &Desk) -> Vec<String> {
    desk.notes.clone()
}

agent! {
    pub struct Office {
        name: "office",
        skills: [Desk],
    }
}

const RESOURCE: &str = "http://127.0.0.1/mcp";

async fn principals() -> Result<(), Box<dyn Error>> {
    let auth = Auth::new(RESOURCE, |name| async move {
        Ok(Principal::new(name, [RESOURCE]))
    })?;
    let start = |_| async {
        let server = AgentServer::builder(Office::new()).start().await?;
        Ok::<_, Box<dyn Error + Send + Sync>>(Toolbox::of(&server))
    };
    let http = mcp::http_per_principal(start).auth(auth);
    let http = http.bind("127.0.0.1:0").await?;
    println!("http://{}/mcp", http.local_addr());
    pending().await
}

async fn connected(server: &[String]) -> Result<McpClient, ConnectError> {
    match server {
        [url] => McpClient::http(url).await,
        [program, arguments @ ..] => McpClient::command(program, arguments).await,
        [] => McpClient::http("").await,
    }
}

async fn answer(session: &ToolSession, word: &str) -> Value {
    if word == "list" {
        let list = session.list().await;
        let tools: Vec<_> = list.tools.iter().map(|listed| &listed.tool.name).collect();
        let withheld: Vec<_> = list
            .withheld
            .iter()
            .map(|withheld| &withheld.reason)
            .collect();
        return json!({ "tools": tools, "withheld": withheld });
    }
    match session.call(word, "{}").await {
        Ok(output) => json!({ "output": output.text() }),
        Err(error) => json!({ "error": error.to_string() }),
    }
}

async fn remote(server: &[String]) -> Result<(), Box<dyn Error>> {
    let office = AgentServer::builder(Office::new()).start().await?;
    let toolbox = Toolbox::builder().server(&office);
    let toolbox = match connected(server).await {
        Ok(client) => toolbox.mcp("far", client.trust_hints()),
        Err(error) => {
            println!("{}", json!({ "error": error.to_string() }));
            toolbox
        }
    };
    let session = toolbox.build().await?.session(ForeignCaller::Model);
    let mut words = BufReader::new(stdin()).lines();
    while let Some(word) = words.next_line().await? {
        println!("{}", answer(&session, &word).await);
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.first().map(String::as_str) {
        Some("remote") => remote(&arguments[1..]).await,
        _ => principals().await,
    }
}
