//! *Jido 2.0 Skills Specification*, sections 4.2, 5.3 and 10: a skill that describes its own tools by `tools/0`.
//!
//! In the document, `tools/0` returns a map for each tool; the default makes it from the action, by `Jido.Tool.from_action/1`. Here the
//! default is the same, and `tools(…)` replaces texts: the title, the description, and the descriptions of arguments. The texts below are
//! those of `instructions/0` in the document. The schema is always that of the arguments, since a call is read by it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::core::Tool;
use skill_agent::prelude::*;

/// Basic arithmetic operations: add, subtract, multiply, divide.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "arithmetic",
    version = "1.0.0",
    actions(Add, Subtract, Multiply, Divide),
    tools(
        Add(description = "Returns a + b."),
        Subtract(description = "Returns a - b."),
        Multiply(description = "Returns a * b."),
        Divide(
            title = "Exact division",
            description = "Returns a / b.",
            args(b = "The divisor, which must not be 0."),
        ),
    )
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
pub fn divide(_: &Arithmetic, a: f64, b: f64) -> Result<f64, String> {
    if b == 0.0 {
        return Err("division by zero".to_owned());
    }
    Ok(a / b)
}

agent! {
    /// Starts without skills.
    #[derive(Debug, PartialEq)]
    pub struct Calculator {
        name: "calculator",
        skills: [],
        mounted: [Arithmetic],
    }
}

/// `Jido.Skill.tools_for_agent/1`: the tools of all skills that are mounted now.
pub fn tools_for_agent(agent: &Calculator) -> Vec<Tool<'static>> {
    agent.all_tools()
}
