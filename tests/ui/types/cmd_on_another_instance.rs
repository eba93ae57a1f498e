// A command for one skill goes to an instance of another.
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
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator as calc, Chat as talk],
    }
}

fn main() {
    MathAgent::new().talk().cmd(Add { a: 1.0, b: 2.0 }).unwrap();
}
