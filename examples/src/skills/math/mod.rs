//! Arithmetic, statistics and units.
//!
//! Every result is a finite number. Other results are errors with a sentence that a model can act on, because JSON has
//! no infinity, and `null` would not say what went wrong.

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
    /// The last result.
    pub last_result: Option<f64>,
}

impl Math {
    /// Stores a result and returns it, or fails if it is not a finite number.
    fn answer(&mut self, result: f64) -> Result<Answer, MathError> {
        if !result.is_finite() {
            return Err(MathError::NotFinite);
        }
        self.last_result = Some(result);
        Ok(Answer { result })
    }
}

/// The result of a calculation.
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
    /// The whole of a percentage is zero.
    #[error("Whole value cannot be zero")]
    NoWhole,
    /// The argument of a square root is negative.
    #[error("Cannot calculate square root of a negative number")]
    NegativeRoot,
    /// The logarithm has no real value.
    #[error("A logarithm needs a value above zero and a base above zero other than one")]
    NoLogarithm,
    /// The number of digits is zero.
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
    /// The converted value is too large.
    #[error("Conversion resulted in a value too large to represent")]
    ConversionTooLarge,
    /// The result is not a real number, or is too large.
    #[error("The result is not a number that can be represented")]
    NotFinite,
}
