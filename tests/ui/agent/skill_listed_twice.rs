// One skill is listed twice under its own name.
use fixture_ui::clock::Clock;
use fixture_ui::calculator::Calculator;
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        skills: [Clock, Calculator, Clock],
    }
}

fn main() {}
