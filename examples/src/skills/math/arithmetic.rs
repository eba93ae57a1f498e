//! Actions on one or two numbers.

use super::rounding::{round_to_places, round_to_significant};
use super::{Answer, Math, MathError};
use skill_agent::prelude::*;

/// Add one number to another.
#[action]
pub fn add(
    math: &mut Math,
    /// First addend.
    a: f64,
    /// Second addend.
    b: f64,
) -> Result<Answer, MathError> {
    math.answer(a + b)
}

/// Subtract one number from another.
#[action]
pub fn subtract(
    math: &mut Math,
    /// The number to subtract from.
    a: f64,
    /// The number to subtract.
    b: f64,
) -> Result<Answer, MathError> {
    math.answer(a - b)
}

/// Multiply one number by another.
#[action]
pub fn multiply(
    math: &mut Math,
    /// First factor.
    a: f64,
    /// Second factor.
    b: f64,
) -> Result<Answer, MathError> {
    math.answer(a * b)
}

/// Divide one number by another.
#[action]
pub fn divide(
    math: &mut Math,
    /// The number to divide.
    a: f64,
    /// The divisor, not zero.
    b: f64,
) -> Result<Answer, MathError> {
    if b == 0.0 {
        return Err(MathError::DivisionByZero);
    }
    math.answer(a / b)
}

/// Raise a number to a power.
#[action]
pub fn power(
    math: &mut Math,
    /// The number to raise.
    base: f64,
    /// The exponent.
    exponent: f64,
) -> Result<Answer, MathError> {
    math.answer(base.powf(exponent))
}

/// Calculate the square root of a number.
#[action]
pub fn square_root(
    math: &mut Math,
    /// The number, at least zero.
    number: f64,
    /// Significant digits of the result, at most 17.
    precision: u32,
) -> Result<Answer, MathError> {
    if number < 0.0 {
        return Err(MathError::NegativeRoot);
    }
    let root = with_precision(number.sqrt(), precision)?;
    math.answer(root)
}

/// Calculate the logarithm of a number to a base.
#[action]
pub fn logarithm(
    math: &mut Math,
    /// The number, above zero.
    value: f64,
    /// The base, above zero and not one.
    base: f64,
    /// Significant digits of the result, at most 17.
    precision: u32,
) -> Result<Answer, MathError> {
    if value <= 0.0 || base <= 0.0 || base == 1.0 {
        return Err(MathError::NoLogarithm);
    }
    let logarithm = with_precision(value.ln() / base.ln(), precision)?;
    math.answer(logarithm)
}

/// Return the absolute value of a number.
#[action]
pub fn absolute_value(
    math: &mut Math,
    /// The number.
    number: f64,
) -> Result<Answer, MathError> {
    math.answer(number.abs())
}

/// Round a number. Halves are rounded to even: 0.5 to 0, 1.5 to 2.
#[action]
pub fn round_number(
    math: &mut Math,
    /// The number.
    number: f64,
    /// Digits to keep after the decimal point. Negative values round to tens, hundreds and so on.
    #[arg(default = 0)]
    decimal_places: i32,
) -> Result<Answer, MathError> {
    math.answer(round_to_places(number, decimal_places))
}

/// Calculate what percentage of a whole a part is.
#[action]
pub fn percentage(
    math: &mut Math,
    /// The part.
    part: f64,
    /// The whole, not zero.
    whole: f64,
) -> Result<Answer, MathError> {
    if whole == 0.0 {
        return Err(MathError::NoWhole);
    }
    math.answer(part / whole * 100.0)
}

fn with_precision(number: f64, precision: u32) -> Result<f64, MathError> {
    match precision.checked_sub(1) {
        Some(after_first) => Ok(round_to_significant(number, after_first as usize)),
        None => Err(MathError::NoPrecision),
    }
}
