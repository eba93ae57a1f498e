//! *Jido Skills v2 Design*, "Usage Examples": a calculator with a schema of its state and one of its configuration, and an agent that
//! lists it with statistics.
//!
//! The document's schemas are Zoi objects. Here they are the fields: `precision: Zoi.integer() |> Zoi.default(2)` is a field of an
//! integer type with `#[skill(default = 2)]`. What Zoi would refine is a constraint of schemars. The document has two of these
//! without writing them: `Float.round` takes a precision of 0 to 15, and a window needs room for a sample.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Basic arithmetic operations.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "calculator",
    category = "math",
    version = "0.1.0",
    config = CalculatorConfig,
    actions(Add)
)]
pub struct Calculator {
    /// Decimal places that results keep.
    #[skill(default = 2)]
    #[schemars(range(max = 15))]
    pub precision: u8,
    /// The last result.
    #[skill(default = 0.0)]
    pub last_result: f64,
}

/// The document's `config_schema`.
#[derive(SkillConfig, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CalculatorConfig {
    /// The largest result.
    #[skill(default = 1_000_000)]
    #[schemars(range(min = 1))]
    pub max_value: i64,
}

/// Add two numbers.
#[action(on("calculator.add"))]
pub fn add(calculator: &mut Calculator, a: f64, b: f64) -> f64 {
    let scale = 10_f64.powi(calculator.precision.into());
    calculator.last_result = ((a + b) * scale).round() / scale;
    calculator.last_result
}

/// Running statistics over the last samples.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "stats", config = StatsConfig)]
pub struct Stats {
    /// How many samples are kept.
    #[skill(from_config)]
    #[schemars(range(min = 1))]
    pub window: usize,
    /// The last samples.
    #[skill(default)]
    pub samples: Vec<f64>,
}

/// The options in `{Jido.Skill.Stats, %{window: 100}}`.
#[derive(SkillConfig, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct StatsConfig {
    /// How many samples are kept.
    #[skill(default = 50)]
    #[schemars(range(min = 1))]
    pub window: usize,
}

/// How the agent is used.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// A person waits.
    Interactive,
    /// Nobody waits.
    Batch,
}

agent! {
    /// Agent with calculation abilities.
    #[derive(Debug, PartialEq)]
    pub struct MathAgent {
        name: "math_agent",
        state: {
            /// How it is used.
            mode: Mode = Mode::Interactive,
        },
        skills: [Calculator, Stats { window: 100 }],
    }
}
