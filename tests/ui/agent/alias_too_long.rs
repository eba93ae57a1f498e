// A skill is listed under a name that leaves no room for the names of its tools.
use skill_agent::prelude::*;

fixture_ui::calculator!();

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator as calculator_of_the_subsidiary_in_the_north_of_norway],
    }
}

fn main() {}
