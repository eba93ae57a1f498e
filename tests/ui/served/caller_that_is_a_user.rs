// The kind of a caller is a user.
// Text of rustc, `E0599`: docs/guarding.md has the cure.
use skill_agent::{Agent, AgentServer, ForeignCaller};

fn handle<A: Agent>(server: &AgentServer<A>) {
    let _ = server.on_behalf_of(ForeignCaller::User("alice"));
}

fn main() {}
