// A base field is secret, and an attribute that the macro does not read derives `Debug`.
use skill_agent::prelude::*;

agent! {
    #[cfg_attr(all(), derive(Debug))]
    struct Clerk {
        name: "clerk",
        state: {
            #[skill(secret)]
            badge: u32,
        },
    }
}

fn main() {}
