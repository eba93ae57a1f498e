// A typed call to a server whose agent does not have the skill.
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

async fn add_on(server: &AgentServer<Talker>) {
    server.call(Add { a: 1.0, b: 2.0 }).await.unwrap();
}

fn main() {}
