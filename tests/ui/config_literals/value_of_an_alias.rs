// A value for an instance under another name is out of range.
use fixture_ui::radio::Radio;
use skill_agent::prelude::*;

agent! {
    struct Kitchen {
        name: "kitchen",
        skills: [Radio, Radio as loud { volume: 11 }],
    }
}

fn main() {}
