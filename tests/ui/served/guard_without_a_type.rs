// The attempt of a guard has no type.
// Text of rustc, `not general enough`: docs/guarding.md has the cure.
use fixture_ui::counter::Counter;
use skill_agent::prelude::*;
use skill_agent::server::Decision;

agent! { struct Clerk { name: "clerk", skills: [Counter] } }

async fn serve() {
    let _ = AgentServer::builder(Clerk::new()).guard(|_| Decision::Allow).start().await;
}

fn main() {}
