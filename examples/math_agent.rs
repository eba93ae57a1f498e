//! A skill, an agent, a typed command, a tool call, and a call that fails.
//!
//! Run it with `cargo run -p skill-examples --example math_agent`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::models::{Provider, ToolsJson};
use skill_agent::prelude::*;

/// Basic arithmetic.
#[derive(Skill, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "calculator", actions(Add, Divide))]
pub struct Calculator {
    /// The result of the last command.
    #[skill(default = 0.0)]
    pub last_result: f64,
}

/// Add two numbers.
#[action]
pub fn add(calculator: &mut Calculator, a: f64, b: f64) -> f64 {
    calculator.last_result = a + b;
    calculator.last_result
}

/// Divide the first number by the second.
#[action]
pub fn divide(calculator: &mut Calculator, a: f64, b: f64) -> Result<f64, DivisionByZero> {
    if b == 0.0 {
        return Err(DivisionByZero);
    }
    calculator.last_result = a / b;
    Ok(calculator.last_result)
}

/// The second number was zero.
#[derive(Debug, thiserror::Error)]
#[error("division by zero")]
pub struct DivisionByZero;

agent! {
    /// Agent with calculation abilities.
    #[derive(Debug)]
    pub struct MathAgent {
        name: "math_agent",
        skills: [Calculator],
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut agent = MathAgent::new();
    let sum = agent.cmd(Add { a: 1.5, b: 2.5 })?; // typed: `sum.output` is an f64
    println!("typed command: {}", sum.output);
    println!(
        "tool call:     {}",
        agent.call_json("add", r#"{"a":40,"b":2}"#)?.output
    );
    if let Err(error) = agent.call_json("divide", r#"{"a":1,"b":0}"#) {
        println!("failed call:   {error}");
    }
    println!("state:         {}", serde_json::to_string(agent.state())?);
    println!(
        "for a model:   {}",
        MathAgent::tools_json(Provider::ANTHROPIC)?
    );
    Ok(())
}
