// The value of an `Option` is greater than a constant that limits its field.
use fixture_ui::radio::Radio;
use skill_agent::prelude::*;

agent! {
    struct Kitchen {
        name: "kitchen",
        skills: [Radio { station: Some(100) }],
    }
}

fn main() {}
