// A verdict is given instead of an approver.
// Text of ours.
use fixture_ui::counter::Counter;
use skill_agent::prelude::*;
use skill_agent::server::Verdict;

agent! { struct Clerk { name: "clerk", skills: [Counter] } }

async fn serve() {
    let _ = AgentServer::builder(Clerk::new()).approver(Verdict::Approve).start().await;
}

fn main() {}
