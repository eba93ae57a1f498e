// A decision is given instead of a guard.
// Text of ours.
use fixture_ui::counter::Counter;
use skill_agent::prelude::*;
use skill_agent::server::Decision;

agent! { struct Clerk { name: "clerk", skills: [Counter] } }

async fn serve() {
    let _ = AgentServer::builder(Clerk::new()).guard(Decision::Ask).start().await;
}

fn main() {}
