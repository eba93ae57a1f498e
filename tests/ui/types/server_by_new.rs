// A server is made by `new` instead of `builder`.
use skill_agent::prelude::*;

agent! {
    pub struct Clerk {
        name: "clerk",
    }
}

fn main() {
    let _ = AgentServer::new(Clerk::new());
}
