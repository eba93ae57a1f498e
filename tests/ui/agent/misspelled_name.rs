// The one required key is misspelled: that is one mistake, not a wrong key and a missing one.
use skill_agent::prelude::*;

agent! {
    struct WatchAgent {
        nmae: "watch_agent",
    }
}

fn main() {}
