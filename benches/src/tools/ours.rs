// Written by `skill-benches write`; change src/source.rs instead.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// A skill with up to 16 tools.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "kit_0", actions(Add0, Scale1, Label2, Count3, Add4, Scale5, Label6, Count7, Add8, Scale9, Label10, Count11, Add12, Scale13, Label14, Count15))]
pub struct Kit0 {
    /// The number of calls.
    pub used: u64,
}

/// Add two numbers and a constant (0).
#[action]
pub fn add_0(
    kit: &mut Kit0,
    /// The first number.
    a: i64,
    /// The second number.
    b: i64,
) -> i64 {
    kit.used += 1;
    a.wrapping_add(b).wrapping_add(0)
}

/// Scale and shift a value (1).
#[action]
pub fn scale_1(
    kit: &mut Kit0,
    /// The value.
    value: f64,
    /// The factor.
    factor: f64,
) -> f64 {
    kit.used += 1;
    value * factor + 1.0
}

/// Write a label for a text (2).
#[action]
pub fn label_2(
    kit: &mut Kit0,
    /// The text.
    text: String,
    /// The width.
    width: u32,
) -> String {
    kit.used += 1;
    format!("{text}-{}", width as usize + 2)
}

/// Count the numbers that are not below a bound, and add a constant (3).
#[action]
pub fn count_3(
    kit: &mut Kit0,
    /// The numbers.
    numbers: Vec<i64>,
    /// The bound.
    least: i64,
) -> usize {
    kit.used += 1;
    numbers.iter().filter(|number| **number >= least).count() + 3
}

/// Add two numbers and a constant (4).
#[action]
pub fn add_4(
    kit: &mut Kit0,
    /// The first number.
    a: i64,
    /// The second number.
    b: i64,
) -> i64 {
    kit.used += 1;
    a.wrapping_add(b).wrapping_add(4)
}

/// Scale and shift a value (5).
#[action]
pub fn scale_5(
    kit: &mut Kit0,
    /// The value.
    value: f64,
    /// The factor.
    factor: f64,
) -> f64 {
    kit.used += 1;
    value * factor + 5.0
}

/// Write a label for a text (6).
#[action]
pub fn label_6(
    kit: &mut Kit0,
    /// The text.
    text: String,
    /// The width.
    width: u32,
) -> String {
    kit.used += 1;
    format!("{text}-{}", width as usize + 6)
}

/// Count the numbers that are not below a bound, and add a constant (7).
#[action]
pub fn count_7(
    kit: &mut Kit0,
    /// The numbers.
    numbers: Vec<i64>,
    /// The bound.
    least: i64,
) -> usize {
    kit.used += 1;
    numbers.iter().filter(|number| **number >= least).count() + 7
}

/// Add two numbers and a constant (8).
#[action]
pub fn add_8(
    kit: &mut Kit0,
    /// The first number.
    a: i64,
    /// The second number.
    b: i64,
) -> i64 {
    kit.used += 1;
    a.wrapping_add(b).wrapping_add(8)
}

/// Scale and shift a value (9).
#[action]
pub fn scale_9(
    kit: &mut Kit0,
    /// The value.
    value: f64,
    /// The factor.
    factor: f64,
) -> f64 {
    kit.used += 1;
    value * factor + 9.0
}

/// Write a label for a text (10).
#[action]
pub fn label_10(
    kit: &mut Kit0,
    /// The text.
    text: String,
    /// The width.
    width: u32,
) -> String {
    kit.used += 1;
    format!("{text}-{}", width as usize + 10)
}

/// Count the numbers that are not below a bound, and add a constant (11).
#[action]
pub fn count_11(
    kit: &mut Kit0,
    /// The numbers.
    numbers: Vec<i64>,
    /// The bound.
    least: i64,
) -> usize {
    kit.used += 1;
    numbers.iter().filter(|number| **number >= least).count() + 11
}

/// Add two numbers and a constant (12).
#[action]
pub fn add_12(
    kit: &mut Kit0,
    /// The first number.
    a: i64,
    /// The second number.
    b: i64,
) -> i64 {
    kit.used += 1;
    a.wrapping_add(b).wrapping_add(12)
}

/// Scale and shift a value (13).
#[action]
pub fn scale_13(
    kit: &mut Kit0,
    /// The value.
    value: f64,
    /// The factor.
    factor: f64,
) -> f64 {
    kit.used += 1;
    value * factor + 13.0
}

/// Write a label for a text (14).
#[action]
pub fn label_14(
    kit: &mut Kit0,
    /// The text.
    text: String,
    /// The width.
    width: u32,
) -> String {
    kit.used += 1;
    format!("{text}-{}", width as usize + 14)
}

/// Count the numbers that are not below a bound, and add a constant (15).
#[action]
pub fn count_15(
    kit: &mut Kit0,
    /// The numbers.
    numbers: Vec<i64>,
    /// The bound.
    least: i64,
) -> usize {
    kit.used += 1;
    numbers.iter().filter(|number| **number >= least).count() + 15
}

/// A skill with up to 16 tools.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "kit_1", actions(Add16, Scale17, Label18, Count19, Add20, Scale21, Label22, Count23, Add24, Scale25, Label26, Count27, Add28, Scale29, Label30, Count31))]
pub struct Kit1 {
    /// The number of calls.
    pub used: u64,
}

/// Add two numbers and a constant (16).
#[action]
pub fn add_16(
    kit: &mut Kit1,
    /// The first number.
    a: i64,
    /// The second number.
    b: i64,
) -> i64 {
    kit.used += 1;
    a.wrapping_add(b).wrapping_add(16)
}

/// Scale and shift a value (17).
#[action]
pub fn scale_17(
    kit: &mut Kit1,
    /// The value.
    value: f64,
    /// The factor.
    factor: f64,
) -> f64 {
    kit.used += 1;
    value * factor + 17.0
}

/// Write a label for a text (18).
#[action]
pub fn label_18(
    kit: &mut Kit1,
    /// The text.
    text: String,
    /// The width.
    width: u32,
) -> String {
    kit.used += 1;
    format!("{text}-{}", width as usize + 18)
}

/// Count the numbers that are not below a bound, and add a constant (19).
#[action]
pub fn count_19(
    kit: &mut Kit1,
    /// The numbers.
    numbers: Vec<i64>,
    /// The bound.
    least: i64,
) -> usize {
    kit.used += 1;
    numbers.iter().filter(|number| **number >= least).count() + 19
}

/// Add two numbers and a constant (20).
#[action]
pub fn add_20(
    kit: &mut Kit1,
    /// The first number.
    a: i64,
    /// The second number.
    b: i64,
) -> i64 {
    kit.used += 1;
    a.wrapping_add(b).wrapping_add(20)
}

/// Scale and shift a value (21).
#[action]
pub fn scale_21(
    kit: &mut Kit1,
    /// The value.
    value: f64,
    /// The factor.
    factor: f64,
) -> f64 {
    kit.used += 1;
    value * factor + 21.0
}

/// Write a label for a text (22).
#[action]
pub fn label_22(
    kit: &mut Kit1,
    /// The text.
    text: String,
    /// The width.
    width: u32,
) -> String {
    kit.used += 1;
    format!("{text}-{}", width as usize + 22)
}

/// Count the numbers that are not below a bound, and add a constant (23).
#[action]
pub fn count_23(
    kit: &mut Kit1,
    /// The numbers.
    numbers: Vec<i64>,
    /// The bound.
    least: i64,
) -> usize {
    kit.used += 1;
    numbers.iter().filter(|number| **number >= least).count() + 23
}

/// Add two numbers and a constant (24).
#[action]
pub fn add_24(
    kit: &mut Kit1,
    /// The first number.
    a: i64,
    /// The second number.
    b: i64,
) -> i64 {
    kit.used += 1;
    a.wrapping_add(b).wrapping_add(24)
}

/// Scale and shift a value (25).
#[action]
pub fn scale_25(
    kit: &mut Kit1,
    /// The value.
    value: f64,
    /// The factor.
    factor: f64,
) -> f64 {
    kit.used += 1;
    value * factor + 25.0
}

/// Write a label for a text (26).
#[action]
pub fn label_26(
    kit: &mut Kit1,
    /// The text.
    text: String,
    /// The width.
    width: u32,
) -> String {
    kit.used += 1;
    format!("{text}-{}", width as usize + 26)
}

/// Count the numbers that are not below a bound, and add a constant (27).
#[action]
pub fn count_27(
    kit: &mut Kit1,
    /// The numbers.
    numbers: Vec<i64>,
    /// The bound.
    least: i64,
) -> usize {
    kit.used += 1;
    numbers.iter().filter(|number| **number >= least).count() + 27
}

/// Add two numbers and a constant (28).
#[action]
pub fn add_28(
    kit: &mut Kit1,
    /// The first number.
    a: i64,
    /// The second number.
    b: i64,
) -> i64 {
    kit.used += 1;
    a.wrapping_add(b).wrapping_add(28)
}

/// Scale and shift a value (29).
#[action]
pub fn scale_29(
    kit: &mut Kit1,
    /// The value.
    value: f64,
    /// The factor.
    factor: f64,
) -> f64 {
    kit.used += 1;
    value * factor + 29.0
}

/// Write a label for a text (30).
#[action]
pub fn label_30(
    kit: &mut Kit1,
    /// The text.
    text: String,
    /// The width.
    width: u32,
) -> String {
    kit.used += 1;
    format!("{text}-{}", width as usize + 30)
}

/// Count the numbers that are not below a bound, and add a constant (31).
#[action]
pub fn count_31(
    kit: &mut Kit1,
    /// The numbers.
    numbers: Vec<i64>,
    /// The bound.
    least: i64,
) -> usize {
    kit.used += 1;
    numbers.iter().filter(|number| **number >= least).count() + 31
}

agent! {
    /// Lists all skills.
    pub struct Worker {
        name: "worker",
        skills: [Kit0, Kit1],
    }
}
