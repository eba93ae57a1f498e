//! The rules for `range` and `length` that can be checked on number literals.

use super::super::{compact_text, report};
use crate::errors::Errors;
use crate::messages;
use crate::parse::action::ArgOptions;
use crate::validate::constraints::number::{Number, number};
use std::cmp::Ordering;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprRange, Meta, MetaList, MetaNameValue, RangeLimits, Token};

/// A range of two integers must not be empty.
pub(super) fn not_empty(range: &ExprRange, errors: &mut Errors) {
    let (Some(low), Some(high)) = (whole(&range.start), whole(&range.end)) else {
        return;
    };
    let is_half_open = matches!(range.limits, RangeLimits::HalfOpen(_));
    if low > high || (low == high && is_half_open) {
        report(messages::empty_range(&compact_text(range)), range, errors);
    }
}

/// Writes the limits of an attribute on a field, such as `range(min = 1, max = 5)`, as a range.
pub(super) fn of_field(option: &Meta) -> String {
    let limits = |list: &MetaList| {
        list.parse_args_with(Punctuated::<MetaNameValue, Token![,]>::parse_terminated)
    };
    let limits = option.require_list().and_then(limits).unwrap_or_default();
    let limit = |name: &str| {
        let mut named = limits.iter().filter(|limit| limit.path.is_ident(name));
        named.next().map(|limit| compact_text(&limit.value))
    };
    let (low, high) = (limit("min"), limit("max"));
    match (limit("equal"), low, high) {
        (Some(only), ..) => format!("{only}..={only}"),
        (None, Some(low), None) => format!("{low}.."),
        (None, None, None) => "1..=5".to_owned(),
        (None, low, Some(high)) => format!("{}..={high}", low.unwrap_or_default()),
    }
}

/// A length must not be negative.
pub(super) fn not_negative(range: &ExprRange, errors: &mut Errors) {
    for end in [&range.start, &range.end] {
        if whole(end).is_some_and(|end| end < 0) {
            report(messages::negative_length(), end, errors);
        }
    }
}

/// A default and the examples must be within the range.
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

/// Compares two numbers that are written as literals.
fn compare(one: &Expr, other: &Expr) -> Option<Ordering> {
    match (written(one)?, written(other)?) {
        (Number::Integer(one), Number::Integer(other)) => Some(one.cmp(&other)),
        (one, other) => one.float().partial_cmp(&other.float()),
    }
}

fn whole(end: &Option<Box<Expr>>) -> Option<i128> {
    match written(end.as_ref()?)? {
        Number::Integer(integer) => Some(integer),
        Number::Float(..) => None,
    }
}

/// Parses a number literal, which may be in `Some(…)`.
fn written(expr: &Expr) -> Option<Number> {
    match expr {
        Expr::Call(call) if call.args.len() == 1 && compact_text(&call.func) == "Some" => {
            number(&call.args[0])
        }
        other => number(other),
    }
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
            ("6u8", "1..=5", true),
            ("0x10", "1..=5", true),
            ("(6)", "1..=5", true),
            (
                "340282366920938463463374607431768211454",
                "..340282366920938463463374607431768211455",
                false,
            ),
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
