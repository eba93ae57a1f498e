//! *Jido Skills v2 Design*, section "Skill Definition": a skill that adds a field to the data of each signal before it is routed.
//!
//! `handle_signal/2` of the document is `prepare_signal` here. It puts the operation into the data, which then has a field that is no
//! argument of the routed action; so each action takes its signal with `lenient`. `transform_result/3` makes the result a signal.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::prelude::*;

/// Basic arithmetic operations
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "calculator",
    state_key = "calculator",
    category = "math",
    version = "0.1.0",
    config = CalculatorConfig,
    signals("calculator.*"),
    actions(Add, Subtract, Multiply),
    tags("math", "utility"),
    hooks
)]
pub struct Calculator {
    #[skill(default = 2)]
    precision: u32,
    #[skill(default = 0.0)]
    last_result: f64,
}

/// The `config_schema` of the document.
#[derive(SkillConfig, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CalculatorConfig {
    #[skill(default = 1_000_000)]
    max_value: u64,
}

impl Hooks for Calculator {
    fn prepare_signal(
        &mut self,
        signal: Signal,
        _: &mut Context<Self>,
    ) -> Result<Signal, HookError> {
        let operation = signal.ty().split('.').next_back().unwrap_or_default();
        let mut data = signal.data().clone();
        let fields = data.as_object_mut();
        let fields = fields.ok_or_else(|| HookError::new("the data is not an object"))?;
        fields.insert("operation".to_owned(), json!(operation));
        Ok(signal.with_data(data))
    }

    fn transform_result(
        &mut self,
        _: &Signal,
        result: Result<Value, HookError>,
        cx: &mut Context<Self>,
    ) -> Result<Value, HookError> {
        let result = result?;
        // the server gives it an id and a source
        cx.emit(Signal::new("calculator.result", result.clone()));
        Ok(result)
    }
}

/// Add two numbers
#[action(on("calculator.add", lenient))]
pub fn add(calculator: &mut Calculator, a: f64, b: f64) -> f64 {
    calculator.keep(a + b)
}

/// Subtract one number from another
#[action(on("calculator.subtract", lenient))]
pub fn subtract(calculator: &mut Calculator, a: f64, b: f64) -> f64 {
    calculator.keep(a - b)
}

/// Multiply two numbers
#[action]
pub fn multiply(calculator: &mut Calculator, a: f64, b: f64) -> f64 {
    calculator.keep(a * b)
}

impl Calculator {
    /// Rounds a result and remembers it.
    fn keep(&mut self, result: f64) -> f64 {
        let factor = 10_f64.powi(self.precision as i32);
        self.last_result = (result * factor).round() / factor;
        self.last_result
    }
}

agent! {
    /// Agent with calculation abilities
    #[derive(Debug, PartialEq)]
    pub struct MathAgent {
        name: "math_agent",
        skills: [Calculator],
    }
}
