// A server is served in a task instead of its toolbox.
// Text of ours.
use skill_agent::mcp;
use skill_agent::{Agent, AgentServer};

fn serve<A: Agent>(server: &AgentServer<A>) {
    let (_here, there) = tokio::io::duplex(1024);
    tokio::spawn(mcp::serve(server, there));
}

fn main() {}
