// A request has the type and the data of a signal as two arguments.
// Text of rustc, `E0061`: docs/errors.md has the cure.
use fixture_ui::counter::Counter;
use skill_agent::prelude::*;

agent! { struct Clerk { name: "clerk", skills: [Counter] } }

async fn serve(server: AgentServer<Clerk>) {
    let _ = server.request("counter.increment", serde_json::json!({ "by": 1 })).await;
}

fn main() {}
