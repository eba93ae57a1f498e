// Several values are out of range, and one field does not exist.
use fixture_ui::radio::Radio;
use skill_agent::prelude::*;

agent! {
    struct Kitchen {
        name: "kitchen",
        skills: [
            Radio { volume: 11, gain: 0.5, balance: 4, nane: "A".to_owned() },
            Radio as loud { volume: 10, presets: vec![1.0, 88.0, 99.0, 130.0] },
        ],
    }
}

fn main() {}
