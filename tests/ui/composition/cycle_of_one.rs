// A skill requires itself, which its own derive reports.
use skill_agent::prelude::*;

fixture_ui::counter!(requires("counter"));

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Counter],
    }
}

fn main() {}
