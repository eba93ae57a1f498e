// A server is served over HTTP instead of its toolbox.
// Text of ours.
use skill_agent::mcp::{self, Http};
use skill_agent::{Agent, AgentServer};

fn over_http<A: Agent>(server: AgentServer<A>) -> Http {
    mcp::http(server)
}

fn main() {}
