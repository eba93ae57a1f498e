// A listed skill has an attribute other than `#[cfg(…)]`.
use fixture_ui::clock::Clock;
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        skills: [
            #[serde(rename = "timer")]
            Clock,
        ],
    }
}

fn main() {}
