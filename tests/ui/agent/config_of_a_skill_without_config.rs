// A skill without configuration is configured.
use fixture_ui::clock::Clock;
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        skills: [Clock { ticks: 10, speed: 2 }],
    }
}

fn main() {}
