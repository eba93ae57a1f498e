//! The rules of `range` and `length`, as far as numbers that are written out show them.

use super::super::{compact_text, report};
use crate::errors::Errors;
use crate::messages;
use crate::parse::action::ArgOptions;
use std::cmp::Ordering;
use std::str::FromStr;
use syn::{Expr, ExprRange, RangeLimits};

/// A range of two whole numbers is not empty.
pub(super) fn not_empty(range: &ExprRange, errors: &mut Errors) {
    let (Some(low), Some(high)) = (whole(&range.start), whole(&range.end)) else {
        return;
    };
    let is_half_open = matches!(range.limits, RangeLimits::HalfOpen(_));
    if low > high || (low == high && is_half_open) {
        report(messages::empty_range(&compact_text(range)), range, errors);
    }
}

/// A length begins at 0.
pub(super) fn not_negative(range: &ExprRange, errors: &mut Errors) {
    for end in [&range.start, &range.end] {
        if whole(end).is_some_and(|end| end < 0) {
            report(messages::negative_length(), end, errors);
        }
    }
}

/// A default and the examples are within the range, as every other value.
pub(super) fn within(options: &ArgOptions, errors: &mut Errors) {
    let Some(range) = &options.range else {
        return;
    };
    let default = options.default.iter().filter_map(|it| it.value.as_ref());
    let examples = options.example.iter().map(|example| &example.0);
    let values = default.map(|value| ("default", value));
    for (what, value) in values.chain(examples.map(|value| ("example", value))) {
        if is_outside(value, &range.0) {
            let (text, range) = (compact_text(value), compact_text(&range.0));
            report(
                messages::outside_of_range(what, &text, &range),
                value,
                errors,
            );
        }
    }
}

fn is_outside(value: &Expr, range: &ExprRange) -> bool {
    let compared = |end: &Option<Box<Expr>>| compare(value, end.as_deref()?);
    let above = match range.limits {
        RangeLimits::HalfOpen(_) => Ordering::is_ge,
        RangeLimits::Closed(_) => Ordering::is_gt,
    };
    compared(&range.start).is_some_and(Ordering::is_lt) || compared(&range.end).is_some_and(above)
}

/// Compares two numbers that are written out.
fn compare(one: &Expr, other: &Expr) -> Option<Ordering> {
    match (number::<i128>(one), number::<i128>(other)) {
        (Some(one), Some(other)) => Some(one.cmp(&other)),
        _ => number::<f64>(one)?.partial_cmp(&number::<f64>(other)?),
    }
}

fn whole(end: &Option<Box<Expr>>) -> Option<i128> {
    number(end.as_ref()?)
}

/// A number without a type, also in `Some(…)`. A variable called `inf` is none.
fn number<N: FromStr>(expr: &Expr) -> Option<N> {
    let text = compact_text(expr).replace('_', "");
    let inner = text.strip_prefix("Some(");
    let text = inner
        .and_then(|text| text.strip_suffix(')'))
        .unwrap_or(&text);
    let digits = text.strip_prefix('-').unwrap_or(text);
    let is_number = digits.starts_with(|first: char| first.is_ascii_digit());
    is_number.then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::is_outside;
    use syn::{Expr, ExprRange, parse_str};

    #[test]
    fn numbers_that_are_written_out_are_compared_exactly_and_others_are_not() {
        for (value, range, expected) in [
            ("0", "1..=5", true),
            ("6", "1..=5", true),
            ("5", "1..5", true),
            ("1", "1..5", false),
            ("-1", "0..", true),
            ("Some(6)", "1..=5", true),
            ("1_000", "..=999", true),
            ("0.5", "-0.5..0.5", true),
            ("5.5", "1..=5", true),
            ("9007199254740993", "..9007199254740993", true),
            ("9007199254740992", "..9007199254740993", false),
            ("6u8", "1..=5", false),
            ("inf", "0.0..=1.0", false),
            ("LIMIT", "1..=5", false),
            ("6", "1..=LIMIT", false),
        ] {
            let written: Expr = parse_str(value).unwrap();
            let limits: ExprRange = parse_str(range).unwrap();
            assert_eq!(
                is_outside(&written, &limits),
                expected,
                "{value} in {range}"
            );
        }
    }
}
