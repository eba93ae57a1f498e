// A negative float is less than its field allows.
use fixture_ui::radio::Radio;
use skill_agent::prelude::*;

agent! {
    struct Kitchen {
        name: "kitchen",
        skills: [Radio { gain: -0.5001 }],
    }
}

fn main() {}
