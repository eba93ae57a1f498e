// A negative integer is less than its field allows.
use fixture_ui::radio::Radio;
use skill_agent::prelude::*;

agent! {
    struct Kitchen {
        name: "kitchen",
        skills: [Radio { balance: -4 }],
    }
}

fn main() {}
