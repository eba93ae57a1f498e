// A skill that may be mounted has an action with a hint that the agent forbids.
use fixture_ui::effects::Web;
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        forbid: [open_world],
        mounted: [Web],
    }
}

fn main() {}
