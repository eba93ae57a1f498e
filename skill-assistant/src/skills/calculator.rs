//! The skill `calculator`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Basic arithmetic.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "calculator", actions(Add, Subtract, Multiply, Divide))]
pub(crate) struct Calculator {
    last_result: f64,
}

impl Calculator {
    fn keep(&mut self, result: f64) -> Result<f64, &'static str> {
        if !result.is_finite() {
            return Err("the result is too large for a number");
        }
        self.last_result = result;
        Ok(result)
    }
}

/// Add two numbers.
#[action]
pub(crate) fn add(calculator: &mut Calculator, a: f64, b: f64) -> Result<f64, &'static str> {
    calculator.keep(a + b)
}

/// Subtract `b` from `a`.
#[action]
pub(crate) fn subtract(calculator: &mut Calculator, a: f64, b: f64) -> Result<f64, &'static str> {
    calculator.keep(a - b)
}

/// Multiply two numbers.
#[action]
pub(crate) fn multiply(calculator: &mut Calculator, a: f64, b: f64) -> Result<f64, &'static str> {
    calculator.keep(a * b)
}

/// Divide `a` by `b`.
#[action]
pub(crate) fn divide(calculator: &mut Calculator, a: f64, b: f64) -> Result<f64, &'static str> {
    if b == 0.0 {
        return Err("`b` is 0, and no number can be divided by 0");
    }
    calculator.keep(a / b)
}
