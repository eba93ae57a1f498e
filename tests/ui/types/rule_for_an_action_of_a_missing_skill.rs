// A rule is for an action of a skill that the agent does not list.
use skill_agent::prelude::*;

fixture_ui::clock!(actions(Tick));

/// Advance the clock.
#[action]
fn tick(clock: &mut Clock) -> u32 {
    clock.ticks += 1;
    clock.ticks
}

agent! {
    struct Watch {
        name: "watch",
        skills: [],
    }
}

fn main() {
    let _ = AgentServer::builder(Watch::new()).ask_when::<Tick>(|_| true);
}
