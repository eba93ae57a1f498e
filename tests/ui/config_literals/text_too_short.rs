// A text is shorter than its field allows.
use fixture_ui::radio::Radio;
use skill_agent::prelude::*;

agent! {
    struct Kitchen {
        name: "kitchen",
        skills: [Radio { name: "A".to_owned() }],
    }
}

fn main() {}
