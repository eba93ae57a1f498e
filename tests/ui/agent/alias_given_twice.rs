// Two instances are listed under one name.
use fixture_ui::calculator::Calculator;
use skill_agent::prelude::*;

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator as calc, Calculator as calc],
    }
}

fn main() {}
