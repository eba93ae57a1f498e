//! An MCP server with the tools, prompts and resources that the conformance suite of MCP expects. It serves over HTTP, at the address
//! that it prints.
//!
//! Actions, a source of tools and documents offer what they can. `Around` adds the rest around the handler. Sampling, roots,
//! logging and tasks are missing on purpose, and the baseline in `tests/clients/conformance_server.yml` names them.

mod actions;
mod everything;
mod forms;
mod pictures;

use actions::Suite;
use everything::{Everything, catalog};
use pictures::Pictures;
use skill_agent::mcp;
use skill_agent::prelude::*;
use skill_agent::toolbox::Toolbox;
use std::future::pending;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let server = AgentServer::builder(Suite::new())
        .approver(mcp::ask_client())
        .start()
        .await?;
    let toolbox = Toolbox::builder()
        .server(&server)
        .source("pictures", Pictures::default())
        .catalog(catalog(false))
        .build()
        .await?;
    let everything = Everything::new(toolbox.clone())?;
    let http = mcp::http(toolbox)
        .wrap(move |handler| everything.around(handler))
        .bind("127.0.0.1:0")
        .await?;
    println!("http://{}/mcp", http.local_addr());
    pending().await
}
