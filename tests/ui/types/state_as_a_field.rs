// The state of a skill is changed as a field of the agent.
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
    agent.calculator.last_result = 4.0;
}
