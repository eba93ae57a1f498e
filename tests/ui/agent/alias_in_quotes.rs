// A skill is listed under a string; the name becomes a field, so it is an identifier.
use skill_agent::prelude::*;

fixture_ui::calculator!();

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator as "calc"],
    }
}

fn main() {}
