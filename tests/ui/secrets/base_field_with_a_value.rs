// The option `secret` of a base field has a value.
use skill_agent::prelude::*;

agent! {
    #[derive(Debug)]
    struct Clerk {
        name: "clerk",
        state: {
            #[skill(secret = "yes")]
            badge: u32,
        },
    }
}

fn main() {}
