// The request of an approver that is written in its place has no type.
// Text of rustc, `E0282`: docs/guarding.md has the cure.
use fixture_ui::counter::Counter;
use skill_agent::prelude::*;

agent! { struct Clerk { name: "clerk", skills: [Counter] } }

async fn serve() {
    let _ = AgentServer::builder(Clerk::new())
        .approver(|request| async move { request.tool.name == "increment" })
        .start()
        .await;
}

fn main() {}
