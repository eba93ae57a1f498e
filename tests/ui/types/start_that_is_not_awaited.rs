// The future that starts a server is not awaited.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: u32) -> u32 {
    counter.count += by;
    counter.count
}

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Counter],
    }
}

async fn serve() {
    let server = AgentServer::builder(Clerk::new()).start();
    let _ = server.call(Increment { by: 1 }).await;
}

fn main() {
    let _ = serve();
}
