// A skill of another crate has an action with a hint that the agent forbids.
use fixture_ui::effects::Web;
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        forbid: [open_world],
        skills: [Web],
    }
}

fn main() {}
