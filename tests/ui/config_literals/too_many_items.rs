// A list has more items than its field allows.
use fixture_ui::radio::Radio;
use skill_agent::prelude::*;

agent! {
    struct Kitchen {
        name: "kitchen",
        skills: [Radio { presets: vec![88.0, 99.5, 103.1, 107.9] }],
    }
}

fn main() {}
