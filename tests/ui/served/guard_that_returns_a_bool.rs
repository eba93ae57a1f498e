// A guard returns a boolean.
// Text of ours.
use fixture_ui::counter::Counter;
use skill_agent::prelude::*;
use skill_agent::server::Attempt;

agent! { struct Clerk { name: "clerk", skills: [Counter] } }

async fn serve() {
    let guard = |attempt: &Attempt<'_>| attempt.tool.name == "increment";
    let _ = AgentServer::builder(Clerk::new()).guard(guard).start().await;
}

fn main() {}
