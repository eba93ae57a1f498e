// An agent has an attribute of serde, but the macro decides how the state is serialized.
use skill_agent::prelude::*;

agent! {
    #[serde(rename_all = "camelCase")]
    struct Watch {
        name: "watch",
        state: { ticks_seen: u32 },
    }
}

fn main() {}
