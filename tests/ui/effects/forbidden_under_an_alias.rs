// An instance has actions with a hint that the agent forbids.
use fixture_ui::effects::Web;
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        forbid: [open_world, destructive],
        skills: [Web as left],
    }
}

fn main() {}
