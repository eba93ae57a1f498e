// Written by `skill-benches write`; change src/source.rs instead.

use rmcp::handler::server::wrapper::Parameters;
use rmcp::{ErrorData, tool, tool_router};
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::atomic::{AtomicU64, Ordering};

/// The state. A tool of rmcp can only access it through `&self`.
#[derive(Default)]
pub struct Worker {
    /// The number of calls.
    pub used: AtomicU64,
}

/// Add two numbers and a constant (0).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Add0 {
    /// The first number.
    pub a: i64,
    /// The second number.
    pub b: i64,
}

/// Scale and shift a value (1).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scale1 {
    /// The value.
    pub value: f64,
    /// The factor.
    pub factor: f64,
}

/// Write a label for a text (2).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Label2 {
    /// The text.
    pub text: String,
    /// The width.
    pub width: u32,
}

/// Count the numbers that are not below a bound, and add a constant (3).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count3 {
    /// The numbers.
    pub numbers: Vec<i64>,
    /// The bound.
    pub least: i64,
}

/// Add two numbers and a constant (4).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Add4 {
    /// The first number.
    pub a: i64,
    /// The second number.
    pub b: i64,
}

/// Scale and shift a value (5).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scale5 {
    /// The value.
    pub value: f64,
    /// The factor.
    pub factor: f64,
}

/// Write a label for a text (6).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Label6 {
    /// The text.
    pub text: String,
    /// The width.
    pub width: u32,
}

/// Count the numbers that are not below a bound, and add a constant (7).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count7 {
    /// The numbers.
    pub numbers: Vec<i64>,
    /// The bound.
    pub least: i64,
}

/// Add two numbers and a constant (8).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Add8 {
    /// The first number.
    pub a: i64,
    /// The second number.
    pub b: i64,
}

/// Scale and shift a value (9).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scale9 {
    /// The value.
    pub value: f64,
    /// The factor.
    pub factor: f64,
}

/// Write a label for a text (10).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Label10 {
    /// The text.
    pub text: String,
    /// The width.
    pub width: u32,
}

/// Count the numbers that are not below a bound, and add a constant (11).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count11 {
    /// The numbers.
    pub numbers: Vec<i64>,
    /// The bound.
    pub least: i64,
}

/// Add two numbers and a constant (12).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Add12 {
    /// The first number.
    pub a: i64,
    /// The second number.
    pub b: i64,
}

/// Scale and shift a value (13).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scale13 {
    /// The value.
    pub value: f64,
    /// The factor.
    pub factor: f64,
}

/// Write a label for a text (14).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Label14 {
    /// The text.
    pub text: String,
    /// The width.
    pub width: u32,
}

/// Count the numbers that are not below a bound, and add a constant (15).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count15 {
    /// The numbers.
    pub numbers: Vec<i64>,
    /// The bound.
    pub least: i64,
}

/// Add two numbers and a constant (16).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Add16 {
    /// The first number.
    pub a: i64,
    /// The second number.
    pub b: i64,
}

/// Scale and shift a value (17).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scale17 {
    /// The value.
    pub value: f64,
    /// The factor.
    pub factor: f64,
}

/// Write a label for a text (18).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Label18 {
    /// The text.
    pub text: String,
    /// The width.
    pub width: u32,
}

/// Count the numbers that are not below a bound, and add a constant (19).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count19 {
    /// The numbers.
    pub numbers: Vec<i64>,
    /// The bound.
    pub least: i64,
}

/// Add two numbers and a constant (20).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Add20 {
    /// The first number.
    pub a: i64,
    /// The second number.
    pub b: i64,
}

/// Scale and shift a value (21).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scale21 {
    /// The value.
    pub value: f64,
    /// The factor.
    pub factor: f64,
}

/// Write a label for a text (22).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Label22 {
    /// The text.
    pub text: String,
    /// The width.
    pub width: u32,
}

/// Count the numbers that are not below a bound, and add a constant (23).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count23 {
    /// The numbers.
    pub numbers: Vec<i64>,
    /// The bound.
    pub least: i64,
}

/// Add two numbers and a constant (24).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Add24 {
    /// The first number.
    pub a: i64,
    /// The second number.
    pub b: i64,
}

/// Scale and shift a value (25).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scale25 {
    /// The value.
    pub value: f64,
    /// The factor.
    pub factor: f64,
}

/// Write a label for a text (26).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Label26 {
    /// The text.
    pub text: String,
    /// The width.
    pub width: u32,
}

/// Count the numbers that are not below a bound, and add a constant (27).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count27 {
    /// The numbers.
    pub numbers: Vec<i64>,
    /// The bound.
    pub least: i64,
}

/// Add two numbers and a constant (28).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Add28 {
    /// The first number.
    pub a: i64,
    /// The second number.
    pub b: i64,
}

/// Scale and shift a value (29).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scale29 {
    /// The value.
    pub value: f64,
    /// The factor.
    pub factor: f64,
}

/// Write a label for a text (30).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Label30 {
    /// The text.
    pub text: String,
    /// The width.
    pub width: u32,
}

/// Count the numbers that are not below a bound, and add a constant (31).
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count31 {
    /// The numbers.
    pub numbers: Vec<i64>,
    /// The bound.
    pub least: i64,
}

#[tool_router(server_handler, vis = "pub")]
impl Worker {
    /// Add two numbers and a constant (0).
    #[tool]
    fn add_0(&self, Parameters(Add0 { a, b }): Parameters<Add0>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: i64 = a.wrapping_add(b).wrapping_add(0);
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Scale and shift a value (1).
    #[tool]
    fn scale_1(&self, Parameters(Scale1 { value, factor }): Parameters<Scale1>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: f64 = value * factor + 1.0;
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Write a label for a text (2).
    #[tool]
    fn label_2(&self, Parameters(Label2 { text, width }): Parameters<Label2>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: String = format!("{text}-{}", width as usize + 2);
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Count the numbers that are not below a bound, and add a constant (3).
    #[tool]
    fn count_3(&self, Parameters(Count3 { numbers, least }): Parameters<Count3>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: usize = numbers.iter().filter(|number| **number >= least).count() + 3;
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Add two numbers and a constant (4).
    #[tool]
    fn add_4(&self, Parameters(Add4 { a, b }): Parameters<Add4>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: i64 = a.wrapping_add(b).wrapping_add(4);
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Scale and shift a value (5).
    #[tool]
    fn scale_5(&self, Parameters(Scale5 { value, factor }): Parameters<Scale5>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: f64 = value * factor + 5.0;
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Write a label for a text (6).
    #[tool]
    fn label_6(&self, Parameters(Label6 { text, width }): Parameters<Label6>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: String = format!("{text}-{}", width as usize + 6);
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Count the numbers that are not below a bound, and add a constant (7).
    #[tool]
    fn count_7(&self, Parameters(Count7 { numbers, least }): Parameters<Count7>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: usize = numbers.iter().filter(|number| **number >= least).count() + 7;
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Add two numbers and a constant (8).
    #[tool]
    fn add_8(&self, Parameters(Add8 { a, b }): Parameters<Add8>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: i64 = a.wrapping_add(b).wrapping_add(8);
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Scale and shift a value (9).
    #[tool]
    fn scale_9(&self, Parameters(Scale9 { value, factor }): Parameters<Scale9>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: f64 = value * factor + 9.0;
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Write a label for a text (10).
    #[tool]
    fn label_10(&self, Parameters(Label10 { text, width }): Parameters<Label10>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: String = format!("{text}-{}", width as usize + 10);
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Count the numbers that are not below a bound, and add a constant (11).
    #[tool]
    fn count_11(&self, Parameters(Count11 { numbers, least }): Parameters<Count11>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: usize = numbers.iter().filter(|number| **number >= least).count() + 11;
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Add two numbers and a constant (12).
    #[tool]
    fn add_12(&self, Parameters(Add12 { a, b }): Parameters<Add12>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: i64 = a.wrapping_add(b).wrapping_add(12);
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Scale and shift a value (13).
    #[tool]
    fn scale_13(&self, Parameters(Scale13 { value, factor }): Parameters<Scale13>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: f64 = value * factor + 13.0;
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Write a label for a text (14).
    #[tool]
    fn label_14(&self, Parameters(Label14 { text, width }): Parameters<Label14>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: String = format!("{text}-{}", width as usize + 14);
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Count the numbers that are not below a bound, and add a constant (15).
    #[tool]
    fn count_15(&self, Parameters(Count15 { numbers, least }): Parameters<Count15>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: usize = numbers.iter().filter(|number| **number >= least).count() + 15;
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Add two numbers and a constant (16).
    #[tool]
    fn add_16(&self, Parameters(Add16 { a, b }): Parameters<Add16>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: i64 = a.wrapping_add(b).wrapping_add(16);
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Scale and shift a value (17).
    #[tool]
    fn scale_17(&self, Parameters(Scale17 { value, factor }): Parameters<Scale17>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: f64 = value * factor + 17.0;
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Write a label for a text (18).
    #[tool]
    fn label_18(&self, Parameters(Label18 { text, width }): Parameters<Label18>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: String = format!("{text}-{}", width as usize + 18);
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Count the numbers that are not below a bound, and add a constant (19).
    #[tool]
    fn count_19(&self, Parameters(Count19 { numbers, least }): Parameters<Count19>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: usize = numbers.iter().filter(|number| **number >= least).count() + 19;
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Add two numbers and a constant (20).
    #[tool]
    fn add_20(&self, Parameters(Add20 { a, b }): Parameters<Add20>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: i64 = a.wrapping_add(b).wrapping_add(20);
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Scale and shift a value (21).
    #[tool]
    fn scale_21(&self, Parameters(Scale21 { value, factor }): Parameters<Scale21>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: f64 = value * factor + 21.0;
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Write a label for a text (22).
    #[tool]
    fn label_22(&self, Parameters(Label22 { text, width }): Parameters<Label22>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: String = format!("{text}-{}", width as usize + 22);
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Count the numbers that are not below a bound, and add a constant (23).
    #[tool]
    fn count_23(&self, Parameters(Count23 { numbers, least }): Parameters<Count23>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: usize = numbers.iter().filter(|number| **number >= least).count() + 23;
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Add two numbers and a constant (24).
    #[tool]
    fn add_24(&self, Parameters(Add24 { a, b }): Parameters<Add24>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: i64 = a.wrapping_add(b).wrapping_add(24);
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Scale and shift a value (25).
    #[tool]
    fn scale_25(&self, Parameters(Scale25 { value, factor }): Parameters<Scale25>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: f64 = value * factor + 25.0;
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Write a label for a text (26).
    #[tool]
    fn label_26(&self, Parameters(Label26 { text, width }): Parameters<Label26>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: String = format!("{text}-{}", width as usize + 26);
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Count the numbers that are not below a bound, and add a constant (27).
    #[tool]
    fn count_27(&self, Parameters(Count27 { numbers, least }): Parameters<Count27>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: usize = numbers.iter().filter(|number| **number >= least).count() + 27;
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Add two numbers and a constant (28).
    #[tool]
    fn add_28(&self, Parameters(Add28 { a, b }): Parameters<Add28>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: i64 = a.wrapping_add(b).wrapping_add(28);
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Scale and shift a value (29).
    #[tool]
    fn scale_29(&self, Parameters(Scale29 { value, factor }): Parameters<Scale29>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: f64 = value * factor + 29.0;
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Write a label for a text (30).
    #[tool]
    fn label_30(&self, Parameters(Label30 { text, width }): Parameters<Label30>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: String = format!("{text}-{}", width as usize + 30);
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }

    /// Count the numbers that are not below a bound, and add a constant (31).
    #[tool]
    fn count_31(&self, Parameters(Count31 { numbers, least }): Parameters<Count31>) -> Result<String, ErrorData> {
        self.used.fetch_add(1, Ordering::Relaxed);
        let answer: usize = numbers.iter().filter(|number| **number >= least).count() + 31;
        serde_json::to_string(&answer).map_err(|e| ErrorData::internal_error(e.to_string(), None))
    }
}
