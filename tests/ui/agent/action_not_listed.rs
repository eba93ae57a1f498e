// An action that its agent does not list.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        state: { mode: u8 },
    }
}

/// Set the mode.
#[action]
fn set_mode(watch: &mut WatchBase, mode: u8) {
    watch.mode = mode;
}

fn main() {}
