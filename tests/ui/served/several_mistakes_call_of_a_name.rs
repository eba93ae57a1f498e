// An action is called by its name with `call`.
// Text of ours.
use fixture_ui::counter::Counter;
use skill_agent::prelude::*;

agent! { struct Clerk { name: "clerk", skills: [Counter] } }

async fn serve(server: AgentServer<Clerk>) {
    let _ = server.call("increment", r#"{"by":1}"#).await;
}

fn main() {}
