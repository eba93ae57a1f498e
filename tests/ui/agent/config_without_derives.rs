// The type of the agent's own configuration derives nothing.
use skill_agent::prelude::*;

struct WatchConfig {
    speed: u32,
}

agent! {
    struct Watch {
        name: "watch",
        config: WatchConfig,
    }
}

fn main() {}
