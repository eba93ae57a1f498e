// A store is given without a look at the error of its file.
// Text of ours.
use fixture_ui::counter::Counter;
use skill_agent::prelude::*;
use skill_agent::store::Redb;

agent! { struct Clerk { name: "clerk", skills: [Counter] } }

async fn serve() {
    let _ = AgentServer::builder(Clerk::new()).store(Redb::open("agents.redb")).start().await;
}

fn main() {}
