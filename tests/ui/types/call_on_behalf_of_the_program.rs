// A handle for somebody else is made for the program.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        skills: [],
    }
}

fn tick(server: &AgentServer<Watch>) {
    let _ = server.on_behalf_of(Caller::Code);
}

fn main() {}
