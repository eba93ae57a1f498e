// The request of an approver has no type.
// Text of rustc, `E0282`: docs/guarding.md has the cure.
use fixture_ui::counter::Counter;
use skill_agent::prelude::*;

agent! { struct Clerk { name: "clerk", skills: [Counter] } }

async fn serve() {
    let approver = |request| async move { request.tool.name == "increment" };
    let _ = AgentServer::builder(Clerk::new()).approver(approver).start().await;
}

fn main() {}
