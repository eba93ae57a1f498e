// An agent lists an action that does not exist under this name.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        state: { mode: u8 },
        actions: [SetMdoe],
    }
}

/// Set the mode.
#[action]
fn set_mode(watch: &mut WatchBase, mode: u8) {
    watch.mode = mode;
}

fn main() {}
