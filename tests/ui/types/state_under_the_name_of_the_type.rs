// The state of a skill with another name is accessed by the name of its type.
use fixture_ui::calculator::Calculator;
use skill_agent::prelude::*;

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator as calc],
    }
}

fn main() {
    let _ = MathAgent::new().state().calculator.last_result;
}
