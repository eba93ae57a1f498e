// `as` without a name.
use skill_agent::prelude::*;

fixture_ui::calculator!();

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator as],
    }
}

fn main() {}
