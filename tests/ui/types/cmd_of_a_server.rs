// A server is called with the method of an agent.
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

async fn add(server: AgentServer<Clerk>) {
    let _ = server.cmd(Increment { by: 1 });
}

fn main() {}
