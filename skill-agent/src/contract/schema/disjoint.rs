//! Whether two alternatives have no value in common.

use super::expand::expand_within;
use super::keywords::accepts;
use super::shape::{All, Alternative, Kind, is_nothing};
use skill_core::__private::compare_numbers;

/// Whether no value is in both alternatives, as far as that is easily seen.
pub(super) fn are_disjoint(one: &Alternative<'_>, other: &Alternative<'_>, hops: u8) -> bool {
    if one.kind != other.kind {
        return true;
    }
    let refuses_all = |one: &Alternative<'_>, other: &Alternative<'_>| {
        let listed = one.listed.as_ref();
        listed.is_some_and(|values| {
            values
                .iter()
                .all(|value| accepts(other, value) == Some(false))
        })
    };
    if refuses_all(one, other) || refuses_all(other, one) {
        return true;
    }
    match one.kind {
        Kind::Number => lies_below(one, other) || lies_below(other, one),
        Kind::Object => {
            let hops = hops.saturating_sub(1);
            lacks_required(one, other)
                || lacks_required(other, one)
                || one
                    .required
                    .iter()
                    .any(|name| differs_in(name, one, other, hops))
        }
        _ => false,
    }
}

fn lies_below(low: &Alternative<'_>, high: &Alternative<'_>) -> bool {
    match (&low.high, &high.low) {
        (Some(end), Some(start)) => match compare_numbers(&end.number, &start.number) {
            std::cmp::Ordering::Less => true,
            order => order.is_eq() && (end.is_exclusive || start.is_exclusive),
        },
        _ => false,
    }
}

/// Whether one alternative requires a key that the other one refuses.
fn lacks_required(one: &Alternative<'_>, other: &Alternative<'_>) -> bool {
    let is_refused = |name: &&str| match other.properties.get(name) {
        Some(schemas) => is_nothing(schemas),
        None => other.patterns.is_empty() && is_nothing(&other.others),
    };
    one.required.iter().any(is_refused)
}

/// Whether a required property, such as a tag, has different values in both.
fn differs_in(name: &str, one: &Alternative<'_>, other: &Alternative<'_>, hops: u8) -> bool {
    if !other.required.contains(name) || hops == 0 {
        return false;
    }
    let (Some(one), Some(other)) = (one.properties.get(name), other.properties.get(name)) else {
        return false;
    };
    have_no_common_value(one, other, hops)
}

fn have_no_common_value(one: &All<'_>, other: &All<'_>, hops: u8) -> bool {
    // an error, such as a recursive type, may hide common values
    let (Ok(one), Ok(other)) = (expand_within(one, hops), expand_within(other, hops)) else {
        return false;
    };
    let is_apart = |alternative| {
        other
            .list
            .iter()
            .all(|other| are_disjoint(alternative, other, hops))
    };
    one.list.iter().all(is_apart)
}
