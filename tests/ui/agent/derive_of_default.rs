// `Default` of an agent would ignore the configurations of its skills.
use skill_agent::prelude::*;

agent! {
    #[derive(Clone, Default)]
    struct Watch {
        name: "watch",
        state: { mode: u8 },
    }
}

fn main() {}
