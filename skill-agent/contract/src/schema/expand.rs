//! Expands a schema into alternatives. For `oneOf`, checks whether two alternatives have values in common.

use super::intersect::intersect;
use super::keywords::{accepts, close, local, looks_at_more};
use super::shape::{All, Alternative, Kind, is_nothing};
use serde_json::Value;
use skill_agent_schema::{Branch, SchemaNode, compare_numbers, subschemas};
use std::cmp::Ordering;

/// The maximum number of alternatives in a schema, because nested choices multiply the alternatives.
const MOST_ALTERNATIVES: usize = 256;

/// The maximum nesting of references, `allOf` and choices to follow, which keeps the stack small.
const MOST_HOPS: u8 = 128;

/// The maximum nesting of properties to inspect when checking whether two branches of a choice differ.
pub(super) const MOST_LEVELS: u8 = 8;

/// The schemas through which the current schema was reached without entering a value.
#[derive(Clone, Copy)]
struct Within<'a> {
    above: Option<(&'a Within<'a>, *const Value)>,
    hops: u8,
    /// The number of levels of properties that may still be inspected.
    levels: u8,
}

impl<'a> Within<'a> {
    const fn root(levels: u8) -> Self {
        Self {
            above: None,
            hops: 0,
            levels,
        }
    }

    /// Enters a schema, which must not lead to itself.
    fn enter(&'a self, node: SchemaNode<'_>) -> Result<Self, Reason> {
        let node = std::ptr::from_ref(node.value());
        let mut above = self.above;
        while let Some((within, other)) = above {
            if other == node {
                return Err("its references lead to themselves");
            }
            above = within.above;
        }
        if self.hops == MOST_HOPS {
            return Err("its references are nested too deeply");
        }
        Ok(Self {
            above: Some((self, node)),
            hops: self.hops + 1,
            levels: self.levels,
        })
    }
}

/// Why a schema cannot be compared.
pub(super) type Reason = &'static str;

/// The alternatives of schemas that all apply.
#[derive(Clone, Debug)]
pub(super) struct Alternatives<'s> {
    pub(super) list: Vec<Alternative<'s>>,
    /// Whether a value may match two branches of a `oneOf`, so that it would be rejected.
    pub(super) may_overlap: bool,
    /// Whether the schema may evaluate properties or items that none of its alternatives evaluates alone, for example if two
    /// branches of an `anyOf` match.
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

/// Returns the alternatives of schemas that all apply.
pub(super) fn expand<'s>(all: &[SchemaNode<'s>]) -> Result<Alternatives<'s>, Reason> {
    expand_within(all, MOST_LEVELS)
}

fn expand_within<'s>(all: &[SchemaNode<'s>], levels: u8) -> Result<Alternatives<'s>, Reason> {
    let mut found = Alternatives::anything();
    for node in all {
        found = found.and(&expand_node(*node, &Within::root(levels))?)?;
    }
    Ok(found)
}

fn expand_node<'s>(node: SchemaNode<'s>, within: &Within<'_>) -> Result<Alternatives<'s>, Reason> {
    let within = &within.enter(node)?;
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
        found = found.and(&expand_node(target, within)?)?;
    }
    let (mut one_of, mut any_of, mut all_of) = (Vec::new(), Vec::new(), Vec::new());
    subschemas(node, &mut |branch, node| match branch {
        Branch::Index("oneOf", _) => one_of.push(node),
        Branch::Index("anyOf", _) => any_of.push(node),
        Branch::Index("allOf", _) => all_of.push(node),
        _ => {}
    });
    for node in all_of {
        found = found.and(&expand_node(node, within)?)?;
    }
    if !any_of.is_empty() {
        found = found.and(&union(&any_of, within, false)?)?;
    }
    if !one_of.is_empty() {
        found = found.and(&union(&one_of, within, true)?)?;
    }
    for alternative in &mut found.list {
        close(alternative, node, found.looks_at_more);
    }
    Ok(found)
}

/// Returns the alternatives of all branches of a choice. Branches that only list values are merged into one list for each type.
fn union<'s>(
    branches: &[SchemaNode<'s>],
    within: &Within<'_>,
    is_exclusive: bool,
) -> Result<Alternatives<'s>, Reason> {
    let mut lists: Vec<Alternative<'s>> = Vec::new();
    let mut list: Vec<Alternative<'s>> = Vec::new();
    let (mut may_overlap, mut looks_at_more) = (false, false);
    let levels = within.levels;
    for branch in branches {
        let branch = expand_node(*branch, within)?;
        may_overlap |= branch.may_overlap;
        looks_at_more |= branch.looks_at_more;
        let (only_listed, others): (Vec<_>, Vec<_>) = branch
            .list
            .into_iter()
            .partition(Alternative::is_only_listed);
        let overlaps =
            |one: &Alternative<'s>| list.iter().any(|other| !are_disjoint(one, other, levels));
        may_overlap |= is_exclusive && only_listed.iter().chain(&others).any(overlaps);
        let overlaps =
            |one: &Alternative<'s>| lists.iter().any(|other| !are_disjoint(one, other, levels));
        may_overlap |= is_exclusive && others.iter().any(overlaps);
        list.extend(others);
        for alternative in only_listed {
            may_overlap |= !join(&mut lists, alternative) && is_exclusive;
        }
        if list.len() + lists.len() > MOST_ALTERNATIVES {
            return Err("it has too many alternatives");
        }
    }
    lists.extend(list);
    Ok(Alternatives {
        list: lists,
        may_overlap,
        looks_at_more,
    })
}

/// Adds values to the list of their type. Returns `false` if the list already contains one of them.
fn join<'s>(lists: &mut Vec<Alternative<'s>>, alternative: Alternative<'s>) -> bool {
    let is_alike = |list: &&mut Alternative<'s>| {
        list.kind == alternative.kind && list.is_integer == alternative.is_integer
    };
    let of_type = lists.iter_mut().find(is_alike);
    let Some(listed) = of_type.and_then(|list| list.listed.as_mut()) else {
        // integers and numbers have separate lists
        let is_new = lists.iter().all(|list| are_disjoint(list, &alternative, 0));
        lists.push(alternative);
        return is_new;
    };
    let values = alternative.listed.iter().flat_map(|listed| listed.values());
    let mut is_new = true;
    for value in values {
        is_new &= listed.push(value);
    }
    is_new
}

/// Returns whether the alternatives have no values in common, as far as that is easy to see.
pub(super) fn are_disjoint(one: &Alternative<'_>, other: &Alternative<'_>, levels: u8) -> bool {
    if one.kind != other.kind {
        return true;
    }
    let refuses_all = |one: &Alternative<'_>, other: &Alternative<'_>| {
        let listed = one.listed.as_ref();
        listed.is_some_and(|listed| {
            listed
                .values()
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
            let levels = levels.saturating_sub(1);
            lacks_required(one, other)
                || lacks_required(other, one)
                || one
                    .required
                    .iter()
                    .any(|name| differs_in(name, one, other, levels))
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

/// Returns whether one alternative requires a key that the other forbids.
fn lacks_required(one: &Alternative<'_>, other: &Alternative<'_>) -> bool {
    let is_refused = |name: &&str| match other.properties.get(name) {
        Some(schemas) => is_nothing(schemas),
        None => other.patterns.is_empty() && is_nothing(&other.others),
    };
    one.required.iter().any(is_refused)
}

/// Returns whether both alternatives require a property, such as a tag, but have no value in common for it.
fn differs_in(name: &str, one: &Alternative<'_>, other: &Alternative<'_>, levels: u8) -> bool {
    if !other.required.contains(name) || levels == 0 {
        return false;
    }
    let (Some(one), Some(other)) = (one.properties.get(name), other.properties.get(name)) else {
        return false;
    };
    have_no_common_value(one, other, levels)
}

fn have_no_common_value(one: &All<'_>, other: &All<'_>, levels: u8) -> bool {
    // an error, for example for a recursive type, may hide common values
    let (Ok(one), Ok(other)) = (expand_within(one, levels), expand_within(other, levels)) else {
        return false;
    };
    let is_apart = |alternative| {
        other
            .list
            .iter()
            .all(|other| are_disjoint(alternative, other, levels))
    };
    one.list.iter().all(is_apart)
}
