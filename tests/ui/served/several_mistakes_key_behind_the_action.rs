// The key of a call stands behind its action.
// Text of ours.
use fixture_ui::counter::{Counter, Increment};
use skill_agent::prelude::*;

agent! { struct Clerk { name: "clerk", skills: [Counter] } }

async fn serve(server: AgentServer<Clerk>) {
    let _ = server.call_with_key(Increment { by: 1 }, "order-7").await;
}

fn main() {}
