// Written by `skill-benches write`; change src/source.rs instead.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Tools of one kind and another.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "kit_0", actions(Add0, Scale1, Label2, Count3, Add4, Scale5, Label6, Count7, Add8, Scale9, Label10, Count11, Add12, Scale13, Label14, Count15))]
pub struct Kit0 {
    /// How often they were used.
    pub used: u64,
}

/// Add two numbers, and a third (0).
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

/// Scale a value, and shift it (1).
#[action]
pub fn scale_1(
    kit: &mut Kit0,
    /// What is scaled.
    value: f64,
    /// By how much.
    factor: f64,
) -> f64 {
    kit.used += 1;
    value * factor + 1.0
}

/// Write a label for a text (2).
#[action]
pub fn label_2(
    kit: &mut Kit0,
    /// What it says.
    text: String,
    /// How wide it is.
    width: u32,
) -> String {
    kit.used += 1;
    format!("{text}-{}", width as usize + 2)
}

/// Count the numbers that are not below a bound, from a start on (3).
#[action]
pub fn count_3(
    kit: &mut Kit0,
    /// The numbers.
    numbers: Vec<i64>,
    /// The bound.
    least: i64,
) -> usize {
    kit.used += 1;
    numbers.iter().filter(|it| **it >= least).count() + 3
}

/// Add two numbers, and a third (4).
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

/// Scale a value, and shift it (5).
#[action]
pub fn scale_5(
    kit: &mut Kit0,
    /// What is scaled.
    value: f64,
    /// By how much.
    factor: f64,
) -> f64 {
    kit.used += 1;
    value * factor + 5.0
}

/// Write a label for a text (6).
#[action]
pub fn label_6(
    kit: &mut Kit0,
    /// What it says.
    text: String,
    /// How wide it is.
    width: u32,
) -> String {
    kit.used += 1;
    format!("{text}-{}", width as usize + 6)
}

/// Count the numbers that are not below a bound, from a start on (7).
#[action]
pub fn count_7(
    kit: &mut Kit0,
    /// The numbers.
    numbers: Vec<i64>,
    /// The bound.
    least: i64,
) -> usize {
    kit.used += 1;
    numbers.iter().filter(|it| **it >= least).count() + 7
}

/// Add two numbers, and a third (8).
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

/// Scale a value, and shift it (9).
#[action]
pub fn scale_9(
    kit: &mut Kit0,
    /// What is scaled.
    value: f64,
    /// By how much.
    factor: f64,
) -> f64 {
    kit.used += 1;
    value * factor + 9.0
}

/// Write a label for a text (10).
#[action]
pub fn label_10(
    kit: &mut Kit0,
    /// What it says.
    text: String,
    /// How wide it is.
    width: u32,
) -> String {
    kit.used += 1;
    format!("{text}-{}", width as usize + 10)
}

/// Count the numbers that are not below a bound, from a start on (11).
#[action]
pub fn count_11(
    kit: &mut Kit0,
    /// The numbers.
    numbers: Vec<i64>,
    /// The bound.
    least: i64,
) -> usize {
    kit.used += 1;
    numbers.iter().filter(|it| **it >= least).count() + 11
}

/// Add two numbers, and a third (12).
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

/// Scale a value, and shift it (13).
#[action]
pub fn scale_13(
    kit: &mut Kit0,
    /// What is scaled.
    value: f64,
    /// By how much.
    factor: f64,
) -> f64 {
    kit.used += 1;
    value * factor + 13.0
}

/// Write a label for a text (14).
#[action]
pub fn label_14(
    kit: &mut Kit0,
    /// What it says.
    text: String,
    /// How wide it is.
    width: u32,
) -> String {
    kit.used += 1;
    format!("{text}-{}", width as usize + 14)
}

/// Count the numbers that are not below a bound, from a start on (15).
#[action]
pub fn count_15(
    kit: &mut Kit0,
    /// The numbers.
    numbers: Vec<i64>,
    /// The bound.
    least: i64,
) -> usize {
    kit.used += 1;
    numbers.iter().filter(|it| **it >= least).count() + 15
}

/// Tools of one kind and another.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "kit_1", actions(Add16, Scale17, Label18, Count19, Add20, Scale21, Label22, Count23, Add24, Scale25, Label26, Count27, Add28, Scale29, Label30, Count31))]
pub struct Kit1 {
    /// How often they were used.
    pub used: u64,
}

/// Add two numbers, and a third (16).
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

/// Scale a value, and shift it (17).
#[action]
pub fn scale_17(
    kit: &mut Kit1,
    /// What is scaled.
    value: f64,
    /// By how much.
    factor: f64,
) -> f64 {
    kit.used += 1;
    value * factor + 17.0
}

/// Write a label for a text (18).
#[action]
pub fn label_18(
    kit: &mut Kit1,
    /// What it says.
    text: String,
    /// How wide it is.
    width: u32,
) -> String {
    kit.used += 1;
    format!("{text}-{}", width as usize + 18)
}

/// Count the numbers that are not below a bound, from a start on (19).
#[action]
pub fn count_19(
    kit: &mut Kit1,
    /// The numbers.
    numbers: Vec<i64>,
    /// The bound.
    least: i64,
) -> usize {
    kit.used += 1;
    numbers.iter().filter(|it| **it >= least).count() + 19
}

/// Add two numbers, and a third (20).
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

/// Scale a value, and shift it (21).
#[action]
pub fn scale_21(
    kit: &mut Kit1,
    /// What is scaled.
    value: f64,
    /// By how much.
    factor: f64,
) -> f64 {
    kit.used += 1;
    value * factor + 21.0
}

/// Write a label for a text (22).
#[action]
pub fn label_22(
    kit: &mut Kit1,
    /// What it says.
    text: String,
    /// How wide it is.
    width: u32,
) -> String {
    kit.used += 1;
    format!("{text}-{}", width as usize + 22)
}

/// Count the numbers that are not below a bound, from a start on (23).
#[action]
pub fn count_23(
    kit: &mut Kit1,
    /// The numbers.
    numbers: Vec<i64>,
    /// The bound.
    least: i64,
) -> usize {
    kit.used += 1;
    numbers.iter().filter(|it| **it >= least).count() + 23
}

/// Add two numbers, and a third (24).
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

/// Scale a value, and shift it (25).
#[action]
pub fn scale_25(
    kit: &mut Kit1,
    /// What is scaled.
    value: f64,
    /// By how much.
    factor: f64,
) -> f64 {
    kit.used += 1;
    value * factor + 25.0
}

/// Write a label for a text (26).
#[action]
pub fn label_26(
    kit: &mut Kit1,
    /// What it says.
    text: String,
    /// How wide it is.
    width: u32,
) -> String {
    kit.used += 1;
    format!("{text}-{}", width as usize + 26)
}

/// Count the numbers that are not below a bound, from a start on (27).
#[action]
pub fn count_27(
    kit: &mut Kit1,
    /// The numbers.
    numbers: Vec<i64>,
    /// The bound.
    least: i64,
) -> usize {
    kit.used += 1;
    numbers.iter().filter(|it| **it >= least).count() + 27
}

/// Add two numbers, and a third (28).
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

/// Scale a value, and shift it (29).
#[action]
pub fn scale_29(
    kit: &mut Kit1,
    /// What is scaled.
    value: f64,
    /// By how much.
    factor: f64,
) -> f64 {
    kit.used += 1;
    value * factor + 29.0
}

/// Write a label for a text (30).
#[action]
pub fn label_30(
    kit: &mut Kit1,
    /// What it says.
    text: String,
    /// How wide it is.
    width: u32,
) -> String {
    kit.used += 1;
    format!("{text}-{}", width as usize + 30)
}

/// Count the numbers that are not below a bound, from a start on (31).
#[action]
pub fn count_31(
    kit: &mut Kit1,
    /// The numbers.
    numbers: Vec<i64>,
    /// The bound.
    least: i64,
) -> usize {
    kit.used += 1;
    numbers.iter().filter(|it| **it >= least).count() + 31
}

agent! {
    /// Has all the tools.
    pub struct Worker {
        name: "worker",
        skills: [Kit0, Kit1],
    }
}
