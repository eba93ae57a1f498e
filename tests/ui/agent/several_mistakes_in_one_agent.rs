// A bad name, an unknown key, a wrong value and a skill listed twice are all reported at once.
use fixture_ui::clock::Clock;
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "My Watch",
        verison: "0.1.0",
        tags: "time",
        skills: [Clock, Clock],
    }
}

fn main() {}
