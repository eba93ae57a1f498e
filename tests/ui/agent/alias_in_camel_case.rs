// A skill is listed under a name that is spelled like a type.
use skill_agent::prelude::*;

fixture_ui::calculator!();

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator as LeftCalculator],
    }
}

fn main() {}
