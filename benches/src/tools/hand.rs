// Written by `skill-benches write`; change src/source.rs instead.

use schemars::{JsonSchema, schema_for};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The state.
#[derive(Clone, Default)]
pub struct Worker {
    /// The number of calls.
    pub used: u64,
}

/// Add two numbers and a constant (0).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Add0 {
    /// The first number.
    pub a: i64,
    /// The second number.
    pub b: i64,
}

impl Add0 {
    pub fn run(self, worker: &mut Worker) -> i64 {
        let Self { a, b } = self;
        worker.used += 1;
        a.wrapping_add(b).wrapping_add(0)
    }
}

/// Scale and shift a value (1).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scale1 {
    /// The value.
    pub value: f64,
    /// The factor.
    pub factor: f64,
}

impl Scale1 {
    pub fn run(self, worker: &mut Worker) -> f64 {
        let Self { value, factor } = self;
        worker.used += 1;
        value * factor + 1.0
    }
}

/// Write a label for a text (2).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Label2 {
    /// The text.
    pub text: String,
    /// The width.
    pub width: u32,
}

impl Label2 {
    pub fn run(self, worker: &mut Worker) -> String {
        let Self { text, width } = self;
        worker.used += 1;
        format!("{text}-{}", width as usize + 2)
    }
}

/// Count the numbers that are not below a bound, and add a constant (3).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count3 {
    /// The numbers.
    pub numbers: Vec<i64>,
    /// The bound.
    pub least: i64,
}

impl Count3 {
    pub fn run(self, worker: &mut Worker) -> usize {
        let Self { numbers, least } = self;
        worker.used += 1;
        numbers.iter().filter(|number| **number >= least).count() + 3
    }
}

/// Add two numbers and a constant (4).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Add4 {
    /// The first number.
    pub a: i64,
    /// The second number.
    pub b: i64,
}

impl Add4 {
    pub fn run(self, worker: &mut Worker) -> i64 {
        let Self { a, b } = self;
        worker.used += 1;
        a.wrapping_add(b).wrapping_add(4)
    }
}

/// Scale and shift a value (5).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scale5 {
    /// The value.
    pub value: f64,
    /// The factor.
    pub factor: f64,
}

impl Scale5 {
    pub fn run(self, worker: &mut Worker) -> f64 {
        let Self { value, factor } = self;
        worker.used += 1;
        value * factor + 5.0
    }
}

/// Write a label for a text (6).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Label6 {
    /// The text.
    pub text: String,
    /// The width.
    pub width: u32,
}

impl Label6 {
    pub fn run(self, worker: &mut Worker) -> String {
        let Self { text, width } = self;
        worker.used += 1;
        format!("{text}-{}", width as usize + 6)
    }
}

/// Count the numbers that are not below a bound, and add a constant (7).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count7 {
    /// The numbers.
    pub numbers: Vec<i64>,
    /// The bound.
    pub least: i64,
}

impl Count7 {
    pub fn run(self, worker: &mut Worker) -> usize {
        let Self { numbers, least } = self;
        worker.used += 1;
        numbers.iter().filter(|number| **number >= least).count() + 7
    }
}

/// Add two numbers and a constant (8).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Add8 {
    /// The first number.
    pub a: i64,
    /// The second number.
    pub b: i64,
}

impl Add8 {
    pub fn run(self, worker: &mut Worker) -> i64 {
        let Self { a, b } = self;
        worker.used += 1;
        a.wrapping_add(b).wrapping_add(8)
    }
}

/// Scale and shift a value (9).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scale9 {
    /// The value.
    pub value: f64,
    /// The factor.
    pub factor: f64,
}

impl Scale9 {
    pub fn run(self, worker: &mut Worker) -> f64 {
        let Self { value, factor } = self;
        worker.used += 1;
        value * factor + 9.0
    }
}

/// Write a label for a text (10).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Label10 {
    /// The text.
    pub text: String,
    /// The width.
    pub width: u32,
}

impl Label10 {
    pub fn run(self, worker: &mut Worker) -> String {
        let Self { text, width } = self;
        worker.used += 1;
        format!("{text}-{}", width as usize + 10)
    }
}

/// Count the numbers that are not below a bound, and add a constant (11).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count11 {
    /// The numbers.
    pub numbers: Vec<i64>,
    /// The bound.
    pub least: i64,
}

impl Count11 {
    pub fn run(self, worker: &mut Worker) -> usize {
        let Self { numbers, least } = self;
        worker.used += 1;
        numbers.iter().filter(|number| **number >= least).count() + 11
    }
}

/// Add two numbers and a constant (12).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Add12 {
    /// The first number.
    pub a: i64,
    /// The second number.
    pub b: i64,
}

impl Add12 {
    pub fn run(self, worker: &mut Worker) -> i64 {
        let Self { a, b } = self;
        worker.used += 1;
        a.wrapping_add(b).wrapping_add(12)
    }
}

/// Scale and shift a value (13).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scale13 {
    /// The value.
    pub value: f64,
    /// The factor.
    pub factor: f64,
}

impl Scale13 {
    pub fn run(self, worker: &mut Worker) -> f64 {
        let Self { value, factor } = self;
        worker.used += 1;
        value * factor + 13.0
    }
}

/// Write a label for a text (14).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Label14 {
    /// The text.
    pub text: String,
    /// The width.
    pub width: u32,
}

impl Label14 {
    pub fn run(self, worker: &mut Worker) -> String {
        let Self { text, width } = self;
        worker.used += 1;
        format!("{text}-{}", width as usize + 14)
    }
}

/// Count the numbers that are not below a bound, and add a constant (15).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count15 {
    /// The numbers.
    pub numbers: Vec<i64>,
    /// The bound.
    pub least: i64,
}

impl Count15 {
    pub fn run(self, worker: &mut Worker) -> usize {
        let Self { numbers, least } = self;
        worker.used += 1;
        numbers.iter().filter(|number| **number >= least).count() + 15
    }
}

/// Add two numbers and a constant (16).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Add16 {
    /// The first number.
    pub a: i64,
    /// The second number.
    pub b: i64,
}

impl Add16 {
    pub fn run(self, worker: &mut Worker) -> i64 {
        let Self { a, b } = self;
        worker.used += 1;
        a.wrapping_add(b).wrapping_add(16)
    }
}

/// Scale and shift a value (17).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scale17 {
    /// The value.
    pub value: f64,
    /// The factor.
    pub factor: f64,
}

impl Scale17 {
    pub fn run(self, worker: &mut Worker) -> f64 {
        let Self { value, factor } = self;
        worker.used += 1;
        value * factor + 17.0
    }
}

/// Write a label for a text (18).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Label18 {
    /// The text.
    pub text: String,
    /// The width.
    pub width: u32,
}

impl Label18 {
    pub fn run(self, worker: &mut Worker) -> String {
        let Self { text, width } = self;
        worker.used += 1;
        format!("{text}-{}", width as usize + 18)
    }
}

/// Count the numbers that are not below a bound, and add a constant (19).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count19 {
    /// The numbers.
    pub numbers: Vec<i64>,
    /// The bound.
    pub least: i64,
}

impl Count19 {
    pub fn run(self, worker: &mut Worker) -> usize {
        let Self { numbers, least } = self;
        worker.used += 1;
        numbers.iter().filter(|number| **number >= least).count() + 19
    }
}

/// Add two numbers and a constant (20).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Add20 {
    /// The first number.
    pub a: i64,
    /// The second number.
    pub b: i64,
}

impl Add20 {
    pub fn run(self, worker: &mut Worker) -> i64 {
        let Self { a, b } = self;
        worker.used += 1;
        a.wrapping_add(b).wrapping_add(20)
    }
}

/// Scale and shift a value (21).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scale21 {
    /// The value.
    pub value: f64,
    /// The factor.
    pub factor: f64,
}

impl Scale21 {
    pub fn run(self, worker: &mut Worker) -> f64 {
        let Self { value, factor } = self;
        worker.used += 1;
        value * factor + 21.0
    }
}

/// Write a label for a text (22).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Label22 {
    /// The text.
    pub text: String,
    /// The width.
    pub width: u32,
}

impl Label22 {
    pub fn run(self, worker: &mut Worker) -> String {
        let Self { text, width } = self;
        worker.used += 1;
        format!("{text}-{}", width as usize + 22)
    }
}

/// Count the numbers that are not below a bound, and add a constant (23).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count23 {
    /// The numbers.
    pub numbers: Vec<i64>,
    /// The bound.
    pub least: i64,
}

impl Count23 {
    pub fn run(self, worker: &mut Worker) -> usize {
        let Self { numbers, least } = self;
        worker.used += 1;
        numbers.iter().filter(|number| **number >= least).count() + 23
    }
}

/// Add two numbers and a constant (24).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Add24 {
    /// The first number.
    pub a: i64,
    /// The second number.
    pub b: i64,
}

impl Add24 {
    pub fn run(self, worker: &mut Worker) -> i64 {
        let Self { a, b } = self;
        worker.used += 1;
        a.wrapping_add(b).wrapping_add(24)
    }
}

/// Scale and shift a value (25).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scale25 {
    /// The value.
    pub value: f64,
    /// The factor.
    pub factor: f64,
}

impl Scale25 {
    pub fn run(self, worker: &mut Worker) -> f64 {
        let Self { value, factor } = self;
        worker.used += 1;
        value * factor + 25.0
    }
}

/// Write a label for a text (26).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Label26 {
    /// The text.
    pub text: String,
    /// The width.
    pub width: u32,
}

impl Label26 {
    pub fn run(self, worker: &mut Worker) -> String {
        let Self { text, width } = self;
        worker.used += 1;
        format!("{text}-{}", width as usize + 26)
    }
}

/// Count the numbers that are not below a bound, and add a constant (27).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count27 {
    /// The numbers.
    pub numbers: Vec<i64>,
    /// The bound.
    pub least: i64,
}

impl Count27 {
    pub fn run(self, worker: &mut Worker) -> usize {
        let Self { numbers, least } = self;
        worker.used += 1;
        numbers.iter().filter(|number| **number >= least).count() + 27
    }
}

/// Add two numbers and a constant (28).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Add28 {
    /// The first number.
    pub a: i64,
    /// The second number.
    pub b: i64,
}

impl Add28 {
    pub fn run(self, worker: &mut Worker) -> i64 {
        let Self { a, b } = self;
        worker.used += 1;
        a.wrapping_add(b).wrapping_add(28)
    }
}

/// Scale and shift a value (29).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scale29 {
    /// The value.
    pub value: f64,
    /// The factor.
    pub factor: f64,
}

impl Scale29 {
    pub fn run(self, worker: &mut Worker) -> f64 {
        let Self { value, factor } = self;
        worker.used += 1;
        value * factor + 29.0
    }
}

/// Write a label for a text (30).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Label30 {
    /// The text.
    pub text: String,
    /// The width.
    pub width: u32,
}

impl Label30 {
    pub fn run(self, worker: &mut Worker) -> String {
        let Self { text, width } = self;
        worker.used += 1;
        format!("{text}-{}", width as usize + 30)
    }
}

/// Count the numbers that are not below a bound, and add a constant (31).
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count31 {
    /// The numbers.
    pub numbers: Vec<i64>,
    /// The bound.
    pub least: i64,
}

impl Count31 {
    pub fn run(self, worker: &mut Worker) -> usize {
        let Self { numbers, least } = self;
        worker.used += 1;
        numbers.iter().filter(|number| **number >= least).count() + 31
    }
}

impl Worker {
    /// Takes the arguments as JSON text and returns the output as JSON text.
    pub fn call(&mut self, name: &str, arguments: &str) -> Result<String, String> {
        match name {
            "add_0" => {
                let arguments: Add0 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "scale_1" => {
                let arguments: Scale1 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "label_2" => {
                let arguments: Label2 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "count_3" => {
                let arguments: Count3 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "add_4" => {
                let arguments: Add4 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "scale_5" => {
                let arguments: Scale5 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "label_6" => {
                let arguments: Label6 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "count_7" => {
                let arguments: Count7 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "add_8" => {
                let arguments: Add8 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "scale_9" => {
                let arguments: Scale9 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "label_10" => {
                let arguments: Label10 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "count_11" => {
                let arguments: Count11 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "add_12" => {
                let arguments: Add12 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "scale_13" => {
                let arguments: Scale13 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "label_14" => {
                let arguments: Label14 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "count_15" => {
                let arguments: Count15 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "add_16" => {
                let arguments: Add16 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "scale_17" => {
                let arguments: Scale17 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "label_18" => {
                let arguments: Label18 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "count_19" => {
                let arguments: Count19 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "add_20" => {
                let arguments: Add20 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "scale_21" => {
                let arguments: Scale21 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "label_22" => {
                let arguments: Label22 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "count_23" => {
                let arguments: Count23 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "add_24" => {
                let arguments: Add24 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "scale_25" => {
                let arguments: Scale25 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "label_26" => {
                let arguments: Label26 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "count_27" => {
                let arguments: Count27 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "add_28" => {
                let arguments: Add28 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "scale_29" => {
                let arguments: Scale29 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "label_30" => {
                let arguments: Label30 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            "count_31" => {
                let arguments: Count31 = serde_json::from_str(arguments).map_err(|e| e.to_string())?;
                serde_json::to_string(&arguments.run(self)).map_err(|e| e.to_string())
            }
            other => Err(format!("there is no tool `{other}`")),
        }
    }
}

/// The name, description and schema of each tool.
pub fn tools() -> Vec<(&'static str, &'static str, Value)> {
    vec![
        ("add_0", "Add two numbers and a constant (0).", schema_for!(Add0).to_value()),
        ("scale_1", "Scale and shift a value (1).", schema_for!(Scale1).to_value()),
        ("label_2", "Write a label for a text (2).", schema_for!(Label2).to_value()),
        ("count_3", "Count the numbers that are not below a bound, and add a constant (3).", schema_for!(Count3).to_value()),
        ("add_4", "Add two numbers and a constant (4).", schema_for!(Add4).to_value()),
        ("scale_5", "Scale and shift a value (5).", schema_for!(Scale5).to_value()),
        ("label_6", "Write a label for a text (6).", schema_for!(Label6).to_value()),
        ("count_7", "Count the numbers that are not below a bound, and add a constant (7).", schema_for!(Count7).to_value()),
        ("add_8", "Add two numbers and a constant (8).", schema_for!(Add8).to_value()),
        ("scale_9", "Scale and shift a value (9).", schema_for!(Scale9).to_value()),
        ("label_10", "Write a label for a text (10).", schema_for!(Label10).to_value()),
        ("count_11", "Count the numbers that are not below a bound, and add a constant (11).", schema_for!(Count11).to_value()),
        ("add_12", "Add two numbers and a constant (12).", schema_for!(Add12).to_value()),
        ("scale_13", "Scale and shift a value (13).", schema_for!(Scale13).to_value()),
        ("label_14", "Write a label for a text (14).", schema_for!(Label14).to_value()),
        ("count_15", "Count the numbers that are not below a bound, and add a constant (15).", schema_for!(Count15).to_value()),
        ("add_16", "Add two numbers and a constant (16).", schema_for!(Add16).to_value()),
        ("scale_17", "Scale and shift a value (17).", schema_for!(Scale17).to_value()),
        ("label_18", "Write a label for a text (18).", schema_for!(Label18).to_value()),
        ("count_19", "Count the numbers that are not below a bound, and add a constant (19).", schema_for!(Count19).to_value()),
        ("add_20", "Add two numbers and a constant (20).", schema_for!(Add20).to_value()),
        ("scale_21", "Scale and shift a value (21).", schema_for!(Scale21).to_value()),
        ("label_22", "Write a label for a text (22).", schema_for!(Label22).to_value()),
        ("count_23", "Count the numbers that are not below a bound, and add a constant (23).", schema_for!(Count23).to_value()),
        ("add_24", "Add two numbers and a constant (24).", schema_for!(Add24).to_value()),
        ("scale_25", "Scale and shift a value (25).", schema_for!(Scale25).to_value()),
        ("label_26", "Write a label for a text (26).", schema_for!(Label26).to_value()),
        ("count_27", "Count the numbers that are not below a bound, and add a constant (27).", schema_for!(Count27).to_value()),
        ("add_28", "Add two numbers and a constant (28).", schema_for!(Add28).to_value()),
        ("scale_29", "Scale and shift a value (29).", schema_for!(Scale29).to_value()),
        ("label_30", "Write a label for a text (30).", schema_for!(Label30).to_value()),
        ("count_31", "Count the numbers that are not below a bound, and add a constant (31).", schema_for!(Count31).to_value()),
    ]
}
