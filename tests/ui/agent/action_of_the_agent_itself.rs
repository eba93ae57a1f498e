// An action of an agent takes the agent instead of its base fields.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        state: { mode: u8 },
    }
}

/// Set the mode.
#[action]
fn set_mode(watch: &mut Watch, mode: u8) {
    let _ = (watch, mode);
}

fn main() {}
