// Two skills have tools of the same name.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::calculator!(actions(Add));

/// Add two numbers.
#[action]
fn add(calculator: &mut Calculator, a: f64, b: f64) -> f64 {
    calculator.last_result = a + b;
    calculator.last_result
}

/// Keeps a list.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "list", actions(Append))]
struct List {
    lines: Vec<String>,
}

/// Add a line to the list.
#[action(name = "add")]
fn append(list: &mut List, line: String) {
    list.lines.push(line);
}

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator, List],
    }
}

fn main() {}
