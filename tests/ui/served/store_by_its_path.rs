// The path of a file is given instead of a store.
// Text of ours.
use fixture_ui::counter::Counter;
use skill_agent::prelude::*;

agent! { struct Clerk { name: "clerk", skills: [Counter] } }

async fn serve() {
    let _ = AgentServer::builder(Clerk::new()).store("agents.redb").start().await;
}

fn main() {}
