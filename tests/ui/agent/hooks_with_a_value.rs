// `hooks` is a flag and takes no value.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        hooks: true,
    }
}

impl Hooks for WatchBase {}

fn main() {}
