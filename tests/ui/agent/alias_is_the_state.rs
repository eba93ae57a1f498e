// A skill is listed as `state`, which is a method of every agent.
use skill_agent::prelude::*;

fixture_ui::calculator!();

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator as state],
    }
}

fn main() {}
