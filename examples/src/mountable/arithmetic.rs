//! Four operations, called as actions or requested by a signal.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;

/// Basic arithmetic operations: add, subtract, multiply, divide.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "arithmetic",
    version = "1.0.0",
    category = "math",
    tags("math", "arithmetic", "numeric"),
    instructions = "The Arithmetic skill provides tools for basic numeric operations:

- {Add}(a, b):      returns a + b
- {Subtract}(a, b): returns a - b
- {Multiply}(a, b): returns a * b
- {Divide}(a, b):   returns a / b (b must not be 0)

Use these tools whenever you need to compute numeric results.
Prefer exact arithmetic over approximate reasoning.",
    signals("calculate"),
    actions(Add, Subtract, Multiply, Divide),
    hooks
)]
pub struct Arithmetic {}

/// Add two numbers.
#[action]
pub fn add(_: &Arithmetic, a: f64, b: f64) -> f64 {
    a + b
}

/// Subtract two numbers (a - b).
#[action]
pub fn subtract(_: &Arithmetic, a: f64, b: f64) -> f64 {
    a - b
}

/// Multiply two numbers.
#[action]
pub fn multiply(_: &Arithmetic, a: f64, b: f64) -> f64 {
    a * b
}

/// Divide two numbers (a / b).
#[action]
pub fn divide(_: &Arithmetic, a: f64, b: f64) -> Result<f64, DivisionByZero> {
    if b == 0.0 {
        return Err(DivisionByZero);
    }
    Ok(a / b)
}

/// The divisor is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("division by zero")]
pub struct DivisionByZero;

impl Hooks for Arithmetic {
    /// Queues the operation that a `calculate` signal names.
    fn handle_signal(
        &mut self,
        signal: &Signal,
        cx: &mut Context<Self>,
    ) -> Result<Handled, HookError> {
        let action = match signal.data()["op"].as_str() {
            Some("add") => Add::NAME,
            Some("subtract") => Subtract::NAME,
            Some("multiply") => Multiply::NAME,
            Some("divide") => Divide::NAME,
            _ => return Ok(Handled::Ignored),
        };
        let params = json!({ "a": signal.data()["a"], "b": signal.data()["b"] });
        cx.run(Instruction::new(action, params));
        Ok(Handled::Done)
    }
}
