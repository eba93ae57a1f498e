// The method `state` is written as a field.
use fixture_ui::calculator::Calculator;
use skill_agent::prelude::*;

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator],
    }
}

fn main() {
    let mut agent = MathAgent::new();
    agent.state.calculator.last_result = 4.0;
}
