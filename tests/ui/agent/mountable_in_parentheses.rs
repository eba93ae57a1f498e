// The mountable skills are listed in parentheses.
use skill_agent::prelude::*;

fixture_ui::clock!();

agent! {
    struct Watch {
        name: "watch",
        mounted: (Clock),
    }
}

fn main() {}
