// A base field has the option `default` of a field of a skill.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        state: {
            #[skill(default = 7)]
            badge: u32,
        },
    }
}

fn main() {}
