// An agent without a name.
use fixture_ui::clock::Clock;
use skill_agent::prelude::*;

agent! {
    /// Counts ticks.
    struct WatchAgent {
        version: "0.1.0",
        skills: [Clock],
    }
}

fn main() {}
