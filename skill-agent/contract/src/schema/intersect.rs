//! Intersects two alternatives.

use super::keywords::{accepts, nothing};
use super::listed::Listed;
use super::shape::{All, Alternative, Kind, compare_highs, compare_lows};
use std::collections::BTreeMap;

/// Returns the values that are in both alternatives, or `None` if their types differ or their listed values have none in common.
pub(super) fn intersect<'s>(
    one: &Alternative<'s>,
    other: &Alternative<'s>,
) -> Option<Alternative<'s>> {
    if one.kind != other.kind {
        return None;
    }
    let mut both = one.clone();
    both.is_integer |= other.is_integer;
    both.inexact = one.inexact.or(other.inexact);
    if compare_lows(other.low.as_ref(), one.low.as_ref()).is_gt() {
        both.low.clone_from(&other.low);
    }
    if compare_highs(other.high.as_ref(), one.high.as_ref()).is_lt() {
        both.high.clone_from(&other.high);
    }
    both.steps.extend(&other.steps);
    both.least = one.least.max(other.least);
    both.greatest = match (one.greatest, other.greatest) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    };
    both.opaque.extend(&other.opaque);
    match one.kind {
        Kind::Array => intersect_items(&mut both, other),
        Kind::Object => intersect_properties(&mut both, one, other),
        _ => {}
    }
    both.listed = match (&one.listed, &other.listed) {
        (Some(values), None) | (None, Some(values)) => Some(values.clone()),
        (Some(values), Some(others)) => {
            let values = values.values().iter().copied();
            Some(values.filter(|value| others.contains(value)).collect())
        }
        (None, None) => None,
    };
    if let Some(listed) = both.listed.take() {
        let values = listed.values().iter().copied();
        let listed: Listed<'_> = values
            .filter(|value| accepts(&both, value) != Some(false))
            .collect();
        if listed.is_empty() {
            return None;
        }
        both.listed = Some(listed);
    }
    Some(both)
}

fn intersect_items<'s>(both: &mut Alternative<'s>, other: &Alternative<'s>) {
    let length = both.first_items.len().max(other.first_items.len());
    let first = (0..length).map(|index| and(both.item(index), other.item(index)));
    both.first_items = first.collect();
    both.items = and(&both.items, &other.items);
}

/// Intersects properties. If one alternative does not name a key, its `additionalProperties` apply to the key.
fn intersect_properties<'s>(
    both: &mut Alternative<'s>,
    one: &Alternative<'s>,
    other: &Alternative<'s>,
) {
    let part = |alternative: &Alternative<'s>, name: &str| match alternative.properties.get(name) {
        Some(schemas) => schemas.clone(),
        None => alternative.others.clone(),
    };
    let names = one.properties.keys().chain(other.properties.keys());
    let properties: BTreeMap<_, _> = names
        .map(|name| (*name, and(&part(one, name), &part(other, name))))
        .collect();
    // names are not matched against patterns
    let is_free = |alternative: &Alternative<'_>| {
        let is_open = alternative.others.is_empty() && alternative.patterns.is_empty();
        is_open && alternative.properties.is_empty()
    };
    let has_patterns = !one.patterns.is_empty() || !other.patterns.is_empty();
    if has_patterns && !is_free(one) && !is_free(other) {
        both.inexact = Some("patterns of keys are combined with other properties");
    }
    both.properties = properties;
    both.required.extend(&other.required);
    both.patterns.extend(other.patterns.iter().cloned());
    both.others = and(&one.others, &other.others);
}

fn and<'s>(one: &All<'s>, other: &All<'s>) -> All<'s> {
    let mut both = one.clone();
    for node in other {
        if !both
            .iter()
            .any(|known| std::ptr::eq(known.value(), node.value()))
        {
            both.push(*node);
        }
    }
    // an empty schema cannot be restricted any more
    if super::shape::is_nothing(&both) {
        return vec![nothing()];
    }
    both
}
