// A skill is listed under a keyword of Rust.
use skill_agent::prelude::*;

fixture_ui::calculator!();

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator as type],
    }
}

fn main() {}
