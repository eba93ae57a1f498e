// A text is longer than its field allows.
use fixture_ui::radio::Radio;
use skill_agent::prelude::*;

agent! {
    struct Kitchen {
        name: "kitchen",
        skills: [Radio { name: String::from("Kitchen radio") }],
    }
}

fn main() {}
