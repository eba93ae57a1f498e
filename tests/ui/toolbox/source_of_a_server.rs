// A server is added as a source of one's own.
// Text of ours.
use skill_agent::toolbox::{Toolbox, ToolboxError};
use skill_agent::{Agent, AgentServer};

async fn build<A: Agent>(notes: AgentServer<A>) -> Result<Toolbox, ToolboxError> {
    Toolbox::builder().source("notes", notes).build().await
}

fn main() {}
