// An item of a list is out of the range of items.
use fixture_ui::radio::Radio;
use skill_agent::prelude::*;

agent! {
    struct Kitchen {
        name: "kitchen",
        skills: [Radio { presets: vec![88.0, 120.0] }],
    }
}

fn main() {}
