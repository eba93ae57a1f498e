// A toolbox is made of a handle for a caller.
// Text of rustc, `found `&CallerHandle<A>``: docs/toolbox.md has the cure.
use skill_agent::toolbox::Toolbox;
use skill_agent::{Agent, AgentServer, ForeignCaller};

fn toolbox<A: Agent>(server: &AgentServer<A>) -> Toolbox {
    Toolbox::of(&server.on_behalf_of(ForeignCaller::Model))
}

fn main() {}
