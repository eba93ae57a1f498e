//! Actions that convert units.

use super::{Answer, Math, MathError};
use skill_agent::prelude::*;

/// Each metric unit of length in metres.
const METRES: [(&str, f64); 6] = [
    ("km", 1e3),
    ("m", 1.0),
    ("cm", 1e-2),
    ("mm", 1e-3),
    ("um", 1e-6),
    ("nm", 1e-9),
];

/// Source unit, target unit and factor. Each direction has its own factor, rounded as in printed tables.
const FACTORS: [(&str, &str, f64); 10] = [
    ("cm", "in", 0.393701),
    ("in", "cm", 2.54),
    ("m", "ft", 3.28084),
    ("ft", "m", 0.3048),
    ("m", "yd", 1.09361),
    ("yd", "m", 0.9144),
    ("km", "miles", 0.621371),
    ("miles", "km", 1.60934),
    ("kg", "lb", 2.20462),
    ("lb", "kg", 0.453592),
];

/// Convert a length between metric units.
#[action]
pub fn si_unit_conversion(
    math: &mut Math,
    /// The length to convert.
    value: f64,
    /// Source unit: `km`, `m`, `cm`, `mm`, `um` or `nm`.
    unit_in: String,
    /// Target unit, from the same list.
    unit_out: String,
) -> Result<Answer, MathError> {
    let metres = |unit: &str| METRES.iter().find(|(name, _)| *name == unit);
    match (metres(&unit_in), metres(&unit_out)) {
        (Some((_, from)), Some((_, to))) => converted(math, value * from * (1.0 / to)),
        _ => Err(MathError::NoConversion { unit_in, unit_out }),
    }
}

/// Convert a length, weight or temperature between metric and imperial units.
#[action]
pub fn imperial_si_conversion(
    math: &mut Math,
    /// The value to convert.
    value: f64,
    /// Source unit: `cm`, `m`, `km`, `in`, `ft`, `yd`, `miles`, `kg`, `lb`, `celsius` or `fahrenheit`.
    unit_in: String,
    /// Target unit, the counterpart in the other system: `cm` and `in`, `m` and `ft` or `yd`, `km` and `miles`, `kg`
    /// and `lb`, `celsius` and `fahrenheit`.
    unit_out: String,
) -> Result<Answer, MathError> {
    if unit_in == unit_out {
        return math.answer(value);
    }
    let result = match (unit_in.as_str(), unit_out.as_str()) {
        ("celsius", "fahrenheit") => value * 1.8 + 32.0,
        ("fahrenheit", "celsius") => (value - 32.0) * (5.0 / 9.0),
        (from, to) => match FACTORS.iter().find(|(a, b, _)| (*a, *b) == (from, to)) {
            Some((_, _, factor)) => value * factor,
            None => return Err(MathError::NoConversion { unit_in, unit_out }),
        },
    };
    converted(math, result)
}

fn converted(math: &mut Math, value: f64) -> Result<Answer, MathError> {
    if !value.is_finite() {
        return Err(MathError::ConversionTooLarge);
    }
    math.answer(value)
}
