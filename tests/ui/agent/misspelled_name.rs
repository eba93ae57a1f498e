// The one required key is misspelled: one mistake, not an unknown and a missing key.
use skill_agent::prelude::*;

agent! {
    struct WatchAgent {
        nmae: "watch_agent",
    }
}

fn main() {}
