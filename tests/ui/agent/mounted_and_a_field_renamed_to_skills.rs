// A base field is renamed to `skills`, the key of the mounted skills.
use skill_agent::prelude::*;

fixture_ui::clock!();

agent! {
    struct Watch {
        name: "watch",
        state: {
            #[serde(rename = "skills")]
            talents: u32,
        },
        mounted: [Clock],
    }
}

fn main() {}
