// How the state is serialized is no choice of the agent's.
use skill_agent::prelude::*;

agent! {
    #[serde(rename_all = "camelCase")]
    struct Watch {
        name: "watch",
        state: { ticks_seen: u32 },
    }
}

fn main() {}
