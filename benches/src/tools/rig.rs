// Written by `skill-benches write`; change src/source.rs instead.

use rig::rig_tool;
use rig::tool::{ToolExecutionError, ToolSet};
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of calls. A tool of rig is a function without state.
pub static USED: AtomicU64 = AtomicU64::new(0);

#[rig_tool(
    description = "Add two numbers and a constant (0).",
    params(a = "The first number.", b = "The second number.")
)]
pub fn add_0(a: i64, b: i64) -> Result<i64, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(a.wrapping_add(b).wrapping_add(0))
}

#[rig_tool(
    description = "Scale and shift a value (1).",
    params(value = "The value.", factor = "The factor.")
)]
pub fn scale_1(value: f64, factor: f64) -> Result<f64, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(value * factor + 1.0)
}

#[rig_tool(
    description = "Write a label for a text (2).",
    params(text = "The text.", width = "The width.")
)]
pub fn label_2(text: String, width: u32) -> Result<String, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(format!("{text}-{}", width as usize + 2))
}

#[rig_tool(
    description = "Count the numbers that are not below a bound, and add a constant (3).",
    params(numbers = "The numbers.", least = "The bound.")
)]
pub fn count_3(numbers: Vec<i64>, least: i64) -> Result<usize, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(numbers.iter().filter(|number| **number >= least).count() + 3)
}

#[rig_tool(
    description = "Add two numbers and a constant (4).",
    params(a = "The first number.", b = "The second number.")
)]
pub fn add_4(a: i64, b: i64) -> Result<i64, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(a.wrapping_add(b).wrapping_add(4))
}

#[rig_tool(
    description = "Scale and shift a value (5).",
    params(value = "The value.", factor = "The factor.")
)]
pub fn scale_5(value: f64, factor: f64) -> Result<f64, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(value * factor + 5.0)
}

#[rig_tool(
    description = "Write a label for a text (6).",
    params(text = "The text.", width = "The width.")
)]
pub fn label_6(text: String, width: u32) -> Result<String, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(format!("{text}-{}", width as usize + 6))
}

#[rig_tool(
    description = "Count the numbers that are not below a bound, and add a constant (7).",
    params(numbers = "The numbers.", least = "The bound.")
)]
pub fn count_7(numbers: Vec<i64>, least: i64) -> Result<usize, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(numbers.iter().filter(|number| **number >= least).count() + 7)
}

#[rig_tool(
    description = "Add two numbers and a constant (8).",
    params(a = "The first number.", b = "The second number.")
)]
pub fn add_8(a: i64, b: i64) -> Result<i64, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(a.wrapping_add(b).wrapping_add(8))
}

#[rig_tool(
    description = "Scale and shift a value (9).",
    params(value = "The value.", factor = "The factor.")
)]
pub fn scale_9(value: f64, factor: f64) -> Result<f64, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(value * factor + 9.0)
}

#[rig_tool(
    description = "Write a label for a text (10).",
    params(text = "The text.", width = "The width.")
)]
pub fn label_10(text: String, width: u32) -> Result<String, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(format!("{text}-{}", width as usize + 10))
}

#[rig_tool(
    description = "Count the numbers that are not below a bound, and add a constant (11).",
    params(numbers = "The numbers.", least = "The bound.")
)]
pub fn count_11(numbers: Vec<i64>, least: i64) -> Result<usize, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(numbers.iter().filter(|number| **number >= least).count() + 11)
}

#[rig_tool(
    description = "Add two numbers and a constant (12).",
    params(a = "The first number.", b = "The second number.")
)]
pub fn add_12(a: i64, b: i64) -> Result<i64, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(a.wrapping_add(b).wrapping_add(12))
}

#[rig_tool(
    description = "Scale and shift a value (13).",
    params(value = "The value.", factor = "The factor.")
)]
pub fn scale_13(value: f64, factor: f64) -> Result<f64, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(value * factor + 13.0)
}

#[rig_tool(
    description = "Write a label for a text (14).",
    params(text = "The text.", width = "The width.")
)]
pub fn label_14(text: String, width: u32) -> Result<String, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(format!("{text}-{}", width as usize + 14))
}

#[rig_tool(
    description = "Count the numbers that are not below a bound, and add a constant (15).",
    params(numbers = "The numbers.", least = "The bound.")
)]
pub fn count_15(numbers: Vec<i64>, least: i64) -> Result<usize, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(numbers.iter().filter(|number| **number >= least).count() + 15)
}

#[rig_tool(
    description = "Add two numbers and a constant (16).",
    params(a = "The first number.", b = "The second number.")
)]
pub fn add_16(a: i64, b: i64) -> Result<i64, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(a.wrapping_add(b).wrapping_add(16))
}

#[rig_tool(
    description = "Scale and shift a value (17).",
    params(value = "The value.", factor = "The factor.")
)]
pub fn scale_17(value: f64, factor: f64) -> Result<f64, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(value * factor + 17.0)
}

#[rig_tool(
    description = "Write a label for a text (18).",
    params(text = "The text.", width = "The width.")
)]
pub fn label_18(text: String, width: u32) -> Result<String, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(format!("{text}-{}", width as usize + 18))
}

#[rig_tool(
    description = "Count the numbers that are not below a bound, and add a constant (19).",
    params(numbers = "The numbers.", least = "The bound.")
)]
pub fn count_19(numbers: Vec<i64>, least: i64) -> Result<usize, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(numbers.iter().filter(|number| **number >= least).count() + 19)
}

#[rig_tool(
    description = "Add two numbers and a constant (20).",
    params(a = "The first number.", b = "The second number.")
)]
pub fn add_20(a: i64, b: i64) -> Result<i64, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(a.wrapping_add(b).wrapping_add(20))
}

#[rig_tool(
    description = "Scale and shift a value (21).",
    params(value = "The value.", factor = "The factor.")
)]
pub fn scale_21(value: f64, factor: f64) -> Result<f64, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(value * factor + 21.0)
}

#[rig_tool(
    description = "Write a label for a text (22).",
    params(text = "The text.", width = "The width.")
)]
pub fn label_22(text: String, width: u32) -> Result<String, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(format!("{text}-{}", width as usize + 22))
}

#[rig_tool(
    description = "Count the numbers that are not below a bound, and add a constant (23).",
    params(numbers = "The numbers.", least = "The bound.")
)]
pub fn count_23(numbers: Vec<i64>, least: i64) -> Result<usize, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(numbers.iter().filter(|number| **number >= least).count() + 23)
}

#[rig_tool(
    description = "Add two numbers and a constant (24).",
    params(a = "The first number.", b = "The second number.")
)]
pub fn add_24(a: i64, b: i64) -> Result<i64, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(a.wrapping_add(b).wrapping_add(24))
}

#[rig_tool(
    description = "Scale and shift a value (25).",
    params(value = "The value.", factor = "The factor.")
)]
pub fn scale_25(value: f64, factor: f64) -> Result<f64, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(value * factor + 25.0)
}

#[rig_tool(
    description = "Write a label for a text (26).",
    params(text = "The text.", width = "The width.")
)]
pub fn label_26(text: String, width: u32) -> Result<String, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(format!("{text}-{}", width as usize + 26))
}

#[rig_tool(
    description = "Count the numbers that are not below a bound, and add a constant (27).",
    params(numbers = "The numbers.", least = "The bound.")
)]
pub fn count_27(numbers: Vec<i64>, least: i64) -> Result<usize, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(numbers.iter().filter(|number| **number >= least).count() + 27)
}

#[rig_tool(
    description = "Add two numbers and a constant (28).",
    params(a = "The first number.", b = "The second number.")
)]
pub fn add_28(a: i64, b: i64) -> Result<i64, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(a.wrapping_add(b).wrapping_add(28))
}

#[rig_tool(
    description = "Scale and shift a value (29).",
    params(value = "The value.", factor = "The factor.")
)]
pub fn scale_29(value: f64, factor: f64) -> Result<f64, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(value * factor + 29.0)
}

#[rig_tool(
    description = "Write a label for a text (30).",
    params(text = "The text.", width = "The width.")
)]
pub fn label_30(text: String, width: u32) -> Result<String, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(format!("{text}-{}", width as usize + 30))
}

#[rig_tool(
    description = "Count the numbers that are not below a bound, and add a constant (31).",
    params(numbers = "The numbers.", least = "The bound.")
)]
pub fn count_31(numbers: Vec<i64>, least: i64) -> Result<usize, ToolExecutionError> {
    USED.fetch_add(1, Ordering::Relaxed);
    Ok(numbers.iter().filter(|number| **number >= least).count() + 31)
}

/// Returns all tools.
pub fn tools() -> ToolSet {
    let mut set = ToolSet::default();
    set.add_tool(Add0);
    set.add_tool(Scale1);
    set.add_tool(Label2);
    set.add_tool(Count3);
    set.add_tool(Add4);
    set.add_tool(Scale5);
    set.add_tool(Label6);
    set.add_tool(Count7);
    set.add_tool(Add8);
    set.add_tool(Scale9);
    set.add_tool(Label10);
    set.add_tool(Count11);
    set.add_tool(Add12);
    set.add_tool(Scale13);
    set.add_tool(Label14);
    set.add_tool(Count15);
    set.add_tool(Add16);
    set.add_tool(Scale17);
    set.add_tool(Label18);
    set.add_tool(Count19);
    set.add_tool(Add20);
    set.add_tool(Scale21);
    set.add_tool(Label22);
    set.add_tool(Count23);
    set.add_tool(Add24);
    set.add_tool(Scale25);
    set.add_tool(Label26);
    set.add_tool(Count27);
    set.add_tool(Add28);
    set.add_tool(Scale29);
    set.add_tool(Label30);
    set.add_tool(Count31);
    set
}
