// A function takes agents with a skill, and the argument is an agent without it.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use fixture_chat::Chat;

/// Basic arithmetic.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "calculator", actions(Add))]
struct Calculator {
    last_result: f64,
}

/// Add two numbers.
#[action]
fn add(calculator: &mut Calculator, a: f64, b: f64) -> f64 {
    calculator.last_result = a + b;
    calculator.last_result
}

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat],
    }
}

fn last_result<G: HasSkill<Calculator>>(agent: &G) -> f64 {
    agent.state_of().last_result
}

fn main() {
    last_result(&Talker::new());
}
