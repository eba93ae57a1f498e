//! Decimal rounding.
//!
//! Multiplying by a power of ten and back rounds 2.675 to 2.68, although the stored number is slightly below 2.675.
//! Formatting knows every digit of the stored number, so rounding goes through text.

/// No `f64` has a decimal digit farther from the decimal point.
const LAST_DIGIT: i32 = 1100;

/// Digits after the first one that distinguish every `f64` from its neighbors.
const ALL_DIGITS: usize = 16;

/// Rounds to a number of digits after the decimal point, or before it if negative.
pub(super) fn round_to_places(number: f64, places: i32) -> f64 {
    let places = places.clamp(-LAST_DIGIT, LAST_DIGIT);
    if number == 0.0 || !number.is_finite() {
        return number;
    }
    // The position of the last digit to keep, counted from the first digit of the number.
    let last = magnitude(number) + places;
    match usize::try_from(last) {
        Ok(last) => round_to_significant(number, last),
        // Even the first digit is dropped: the result is zero or one unit of the next higher digit.
        Err(_) if last == -1 && is_more_than_half(number, places) => {
            parse(&format!("1e{}", -places)).copysign(number)
        }
        Err(_) => 0.0_f64.copysign(number),
    }
}

/// Rounds to `after_first` significant digits after the first one.
pub(super) fn round_to_significant(number: f64, after_first: usize) -> f64 {
    if after_first > ALL_DIGITS {
        return number;
    }
    parse(&format!("{number:.after_first$e}"))
}

/// Returns the decimal exponent of the first digit.
fn magnitude(number: f64) -> i32 {
    let text = format!("{number:e}");
    text.split_once('e')
        .and_then(|(_, exponent)| exponent.parse().ok())
        .unwrap_or_default()
}

fn is_more_than_half(number: f64, places: i32) -> bool {
    number.abs() > parse(&format!("5e{}", -places - 1))
}

/// Parses a formatted number.
fn parse(text: &str) -> f64 {
    text.parse().unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_rounded_to_even() {
        assert_eq!(round_to_places(0.5, 0), 0.0);
        assert_eq!(round_to_places(1.5, 0), 2.0);
        assert_eq!(round_to_places(-2.5, 0), -2.0);
        assert_eq!(round_to_places(2.675, 2), 2.67);
        assert_eq!(round_to_places(0.125, 2), 0.12);
    }

    #[test]
    fn negative_places_round_to_tens_and_hundreds() {
        assert_eq!(round_to_places(1250.0, -2), 1200.0);
        assert_eq!(round_to_places(1350.0, -2), 1400.0);
        assert_eq!(round_to_places(50.0, -2), 0.0);
        assert_eq!(round_to_places(51.0, -2), 100.0);
        assert_eq!(round_to_places(-99.0, -2), -100.0);
        assert_eq!(round_to_places(4.0, -2), 0.0);
    }

    #[test]
    fn rounding_to_more_digits_than_the_number_has_changes_nothing() {
        assert_eq!(round_to_places(1.0 / 3.0, i32::MAX), 1.0 / 3.0);
        assert_eq!(round_to_places(1e300, 20), 1e300);
        assert_eq!(round_to_places(1e300, i32::MIN), 0.0);
        assert_eq!(round_to_significant(2.0_f64.sqrt(), 30), 2.0_f64.sqrt());
        assert_eq!(round_to_significant(2.0_f64.sqrt(), 3), 1.414);
    }
}
