//! Arithmetic, statistics and units.
//!
//! Every answer is a finite number. What has none is an error with a sentence that a model can act
//! on, because JSON has no infinity and `null` would be a riddle.

mod arithmetic;
mod rounding;
mod statistics;
mod units;

pub use arithmetic::*;
pub use statistics::*;
pub use units::*;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Calculate with numbers, lists of numbers and units.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "math",
    state_key = "math",
    version = "0.1.0",
    category = "math",
    actions(
        Add, Subtract, Multiply, Divide, Power, SquareRoot, Logarithm, AbsoluteValue, RoundNumber,
        Percentage, // one or two numbers
        SumValues, Mean, StandardDeviation, MinValue, MaxValue, // lists
        SiUnitConversion, ImperialSiConversion // units
    )
)]
pub struct Math {
    /// The last number that was answered.
    pub last_result: Option<f64>,
}

impl Math {
    /// Remembers a result and makes it the answer, or fails when it is not a finite number.
    fn answer(&mut self, result: f64) -> Result<Answer, MathError> {
        if !result.is_finite() {
            return Err(MathError::NotFinite);
        }
        self.last_result = Some(result);
        Ok(Answer { result })
    }
}

/// The answer of a calculation.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Answer {
    /// The number.
    pub result: f64,
}

/// An error of the math actions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MathError {
    /// The list is empty.
    #[error("Cannot {calculation} of an empty list")]
    EmptyList {
        /// The calculation.
        calculation: &'static str,
    },
    /// A divisor is zero.
    #[error("Cannot divide by zero")]
    DivisionByZero,
    /// A percentage of nothing.
    #[error("Whole value cannot be zero")]
    NoWhole,
    /// The root of a negative number.
    #[error("Cannot calculate square root of a negative number")]
    NegativeRoot,
    /// A logarithm that has no real value.
    #[error("A logarithm needs a value above zero and a base above zero other than one")]
    NoLogarithm,
    /// Digits were asked for, but none.
    #[error("Precision must be at least one digit")]
    NoPrecision,
    /// There is no factor between the two units.
    #[error("Conversion from '{unit_in}' to '{unit_out}' is not supported")]
    NoConversion {
        /// The unit to convert from.
        unit_in: String,
        /// The unit to convert to.
        unit_out: String,
    },
    /// The converted value is larger than any number.
    #[error("Conversion resulted in a value too large to represent")]
    ConversionTooLarge,
    /// The result is not a real number, or too large.
    #[error("The result is not a number that can be represented")]
    NotFinite,
}
