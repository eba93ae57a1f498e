// The state is changed without an action.
use fixture_ui::calculator::Calculator;
use skill_agent::prelude::*;

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator],
    }
}

fn main() {
    let agent = MathAgent::new();
    agent.state().calculator.last_result = 4.0;
}
