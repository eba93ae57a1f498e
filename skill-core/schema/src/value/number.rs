//! Compares JSON numbers without loss.

use serde_json::{Number, Value};
use std::cmp::Ordering;

/// Compares two numbers. Integers are compared without a conversion to floats.
pub fn compare(one: &Number, other: &Number) -> Ordering {
    match (one.as_i128(), other.as_i128()) {
        (Some(one), Some(other)) => one.cmp(&other),
        _ => float(one).total_cmp(&float(other)),
    }
}

/// Returns whether two values are equal. Numbers are equal if their values are: `1` equals `1.0`.
pub fn is_equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => compare(one, other).is_eq(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| is_equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            let is_in_other = |(key, value): (&String, &Value)| {
                other.get(key).is_some_and(|other| is_equal(value, other))
            };
            one.len() == other.len() && one.iter().all(is_in_other)
        }
        _ => one == other,
    }
}

/// Returns whether `number` is a multiple of `of`. Floats are compared within their precision.
pub fn is_multiple(number: &Number, of: &Number) -> bool {
    match (number.as_i128(), of.as_i128()) {
        (_, Some(0)) => true,
        (Some(number), Some(of)) => number % of == 0,
        _ => {
            let quotient = float(number) / float(of);
            !quotient.is_finite() || (quotient - quotient.round()).abs() <= quotient.abs() * 1e-12
        }
    }
}

fn float(number: &Number) -> f64 {
    // `-0.0` becomes zero
    number.as_f64().unwrap_or(f64::NAN) + 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Number {
        text.parse().unwrap()
    }

    #[test]
    fn integers_are_compared_exactly_and_floats_as_floats() {
        let [low, high] = ["9007199254740992", "9007199254740993"].map(number);
        assert_eq!(compare(&low, &high), Ordering::Less);
        assert_eq!(compare(&number("2"), &number("2.0")), Ordering::Equal);
        assert_eq!(compare(&number("-0.5"), &number("0")), Ordering::Less);
        assert_eq!(compare(&number("-0.0"), &number("0")), Ordering::Equal);
        assert_eq!(
            compare(&number("18446744073709551615"), &number("-1")),
            Ordering::Greater
        );
    }

    #[test]
    fn values_are_equal_if_their_numbers_are() {
        let one: Value = serde_json::from_str(r#"{"a":[1,2.0]}"#).unwrap();
        let other: Value = serde_json::from_str(r#"{"a":[1.0,2]}"#).unwrap();
        assert!(is_equal(&one, &other));
        assert!(!is_equal(&one["a"], &other));
        assert!(!is_equal(&one["a"][0], &other["a"][1]));
    }

    #[test]
    fn multiples_of_floats_are_found_in_spite_of_rounding() {
        for (multiple, of) in [("15", "5"), ("0.3", "0.1"), ("1e300", "0.5"), ("7", "0")] {
            assert!(
                is_multiple(&number(multiple), &number(of)),
                "{multiple} of {of}"
            );
        }
        for (other, of) in [("16", "5"), ("0.35", "0.1"), ("18446744073709551615", "2")] {
            assert!(!is_multiple(&number(other), &number(of)), "{other} of {of}");
        }
    }
}
