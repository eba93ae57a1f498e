//! Actions on lists of numbers.

use super::{Answer, Math, MathError};
use skill_agent::prelude::*;

/// Add a list of numbers.
#[action]
pub fn sum_values(
    math: &mut Math,
    /// The numbers, at least one.
    numbers: Vec<f64>,
) -> Result<Answer, MathError> {
    let numbers = at_least_one(&numbers, "calculate sum")?;
    math.answer(numbers.iter().sum())
}

/// Calculate the mean of a list of numbers.
#[action]
pub fn mean(
    math: &mut Math,
    /// The numbers, at least one.
    numbers: Vec<f64>,
) -> Result<Answer, MathError> {
    let numbers = at_least_one(&numbers, "calculate mean")?;
    math.answer(mean_of(numbers))
}

/// Calculate the standard deviation of a list of numbers. The list is treated as the whole population, not as a sample.
#[action]
pub fn standard_deviation(
    math: &mut Math,
    /// The numbers, at least one.
    numbers: Vec<f64>,
) -> Result<Answer, MathError> {
    let numbers = at_least_one(&numbers, "calculate standard deviation")?;
    let mean = mean_of(numbers);
    let squares: Vec<f64> = numbers.iter().map(|x| (x - mean).powi(2)).collect();
    math.answer(mean_of(&squares).sqrt())
}

/// Return the smallest number of a list.
#[action]
pub fn min_value(
    math: &mut Math,
    /// The numbers, at least one.
    numbers: Vec<f64>,
) -> Result<Answer, MathError> {
    let numbers = at_least_one(&numbers, "find minimum")?;
    math.answer(numbers.iter().copied().fold(f64::INFINITY, f64::min))
}

/// Return the largest number of a list.
#[action]
pub fn max_value(
    math: &mut Math,
    /// The numbers, at least one.
    numbers: Vec<f64>,
) -> Result<Answer, MathError> {
    let numbers = at_least_one(&numbers, "find maximum")?;
    math.answer(numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max))
}

fn at_least_one<'a>(numbers: &'a [f64], calculation: &'static str) -> Result<&'a [f64], MathError> {
    if numbers.is_empty() {
        return Err(MathError::EmptyList { calculation });
    }
    Ok(numbers)
}

fn mean_of(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}
