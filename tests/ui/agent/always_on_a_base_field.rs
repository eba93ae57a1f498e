// A base field has an option of a field of a skill.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        state: {
            #[skill(always)]
            badge: u32,
        },
    }
}

fn main() {}
