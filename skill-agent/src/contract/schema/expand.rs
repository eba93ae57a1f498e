//! From a schema to its alternatives, and whether two of them have no value in common, which `oneOf` asks.

use super::intersect::intersect;
use super::keywords::{accepts, close, local, looks_at_more};
use super::shape::{All, Alternative, Kind, is_nothing};
use serde_json::Value;
use skill_core::__private::{Branch, SchemaNode, compare_numbers, subschemas};
use std::cmp::Ordering;

/// The most alternatives of a schema. Nested choices multiply them.
const MOST_ALTERNATIVES: usize = 256;

/// How many references, and schemas within `allOf` and choices, are followed into each other.
const MOST_HOPS: u8 = 32;

/// Why a schema cannot be compared.
pub(super) type Reason = &'static str;

/// The alternatives of schemas that all hold.
#[derive(Clone, Debug)]
pub(super) struct Alternatives<'s> {
    pub(super) list: Vec<Alternative<'s>>,
    /// Whether a value may be in two branches of a `oneOf`, which refuses it.
    pub(super) may_overlap: bool,
    /// Whether the schema looks at properties or items that an alternative does not have, as two branches of `anyOf` do together.
    looks_at_more: bool,
}

impl<'s> Alternatives<'s> {
    fn anything() -> Self {
        Self {
            list: Kind::ALL.map(Alternative::any).into(),
            may_overlap: false,
            looks_at_more: false,
        }
    }

    fn and(self, other: &Self) -> Result<Self, Reason> {
        let pairs = self.list.len().saturating_mul(other.list.len());
        if pairs > MOST_ALTERNATIVES * MOST_ALTERNATIVES {
            return Err("it has too many alternatives");
        }
        let mut list = Vec::new();
        for one in &self.list {
            list.extend(other.list.iter().filter_map(|other| intersect(one, other)));
        }
        if list.len() > MOST_ALTERNATIVES {
            return Err("it has too many alternatives");
        }
        Ok(Self {
            list,
            may_overlap: self.may_overlap || other.may_overlap,
            looks_at_more: self.looks_at_more || other.looks_at_more,
        })
    }
}

/// The alternatives of schemas that all hold.
pub(super) fn expand<'s>(all: &[SchemaNode<'s>]) -> Result<Alternatives<'s>, Reason> {
    expand_within(all, MOST_HOPS)
}

fn expand_within<'s>(all: &[SchemaNode<'s>], hops: u8) -> Result<Alternatives<'s>, Reason> {
    let mut found = Alternatives::anything();
    for node in all {
        found = found.and(&expand_node(*node, hops)?)?;
    }
    Ok(found)
}

fn expand_node<'s>(node: SchemaNode<'s>, hops: u8) -> Result<Alternatives<'s>, Reason> {
    let hops = hops
        .checked_sub(1)
        .ok_or("its references lead to themselves")?;
    match node.value() {
        Value::Bool(true) => return Ok(Alternatives::anything()),
        Value::Bool(false) => {
            return Ok(Alternatives {
                list: Vec::new(),
                may_overlap: false,
                looks_at_more: false,
            });
        }
        Value::Object(_) => {}
        _ => return Err("it is no schema"),
    }
    let mut found = Alternatives {
        list: local(node),
        may_overlap: false,
        looks_at_more: looks_at_more(node),
    };
    if node.keyword("$ref").is_some() {
        let target = node.target().ok_or("its reference leads nowhere")?;
        found = found.and(&expand_node(target, hops)?)?;
    }
    let (mut one_of, mut any_of, mut all_of) = (Vec::new(), Vec::new(), Vec::new());
    subschemas(node, &mut |branch, node| match branch {
        Branch::Index("oneOf", _) => one_of.push(node),
        Branch::Index("anyOf", _) => any_of.push(node),
        Branch::Index("allOf", _) => all_of.push(node),
        _ => {}
    });
    for node in all_of {
        found = found.and(&expand_node(node, hops)?)?;
    }
    if !any_of.is_empty() {
        found = found.and(&union(&any_of, hops, false)?)?;
    }
    if !one_of.is_empty() {
        found = found.and(&union(&one_of, hops, true)?)?;
    }
    for alternative in &mut found.list {
        close(alternative, node, found.looks_at_more);
    }
    Ok(found)
}

/// The alternatives of all branches of a choice.
fn union<'s>(
    branches: &[SchemaNode<'s>],
    hops: u8,
    is_exclusive: bool,
) -> Result<Alternatives<'s>, Reason> {
    let mut list: Vec<Alternative<'s>> = Vec::new();
    let (mut may_overlap, mut looks_at_more) = (false, false);
    for branch in branches {
        let branch = expand_node(*branch, hops)?;
        let overlaps =
            |one: &Alternative<'s>| list.iter().any(|other| !are_disjoint(one, other, hops));
        may_overlap |= branch.may_overlap || (is_exclusive && branch.list.iter().any(overlaps));
        looks_at_more |= branch.looks_at_more;
        list.extend(branch.list);
        if list.len() > MOST_ALTERNATIVES {
            return Err("it has too many alternatives");
        }
    }
    Ok(Alternatives {
        list,
        may_overlap,
        looks_at_more,
    })
}

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
            Ordering::Less => true,
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
