// A skill is listed under the name of a method that every agent has.
use skill_agent::prelude::*;

fixture_ui::calculator!();

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator as run],
    }
}

fn main() {}
