// A guard is async.
// Text of ours.
use fixture_ui::counter::Counter;
use skill_agent::prelude::*;
use skill_agent::server::{Attempt, Decision};

agent! { struct Clerk { name: "clerk", skills: [Counter] } }

async fn serve() {
    let guard = async |_: &Attempt<'_>| Decision::Allow;
    let _ = AgentServer::builder(Clerk::new()).guard(guard).start().await;
}

fn main() {}
