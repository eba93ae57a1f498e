// A server over HTTP is dropped at once.
// Text of ours.
#![deny(unused_must_use)]
use skill_agent::mcp::{self, BindError};
use skill_agent::toolbox::Toolbox;

async fn bind(toolbox: Toolbox) -> Result<(), BindError> {
    mcp::http(toolbox).bind("127.0.0.1:4000").await?;
    Ok(())
}

fn main() {}
