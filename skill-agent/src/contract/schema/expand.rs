//! From a schema to its alternatives.

use super::disjoint::are_disjoint;
use super::intersect::intersect;
use super::keywords::local;
use super::shape::{Alternative, Kind};
use serde_json::Value;
use skill_core::__private::{Branch, SchemaNode, subschemas};

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
}

impl<'s> Alternatives<'s> {
    fn anything() -> Self {
        Self {
            list: Kind::ALL.map(Alternative::any).into(),
            may_overlap: false,
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
        })
    }
}

/// The alternatives of schemas that all hold.
pub(super) fn expand<'s>(all: &[SchemaNode<'s>]) -> Result<Alternatives<'s>, Reason> {
    expand_within(all, MOST_HOPS)
}

pub(super) fn expand_within<'s>(
    all: &[SchemaNode<'s>],
    hops: u8,
) -> Result<Alternatives<'s>, Reason> {
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
            });
        }
        Value::Object(_) => {}
        _ => return Err("it is no schema"),
    }
    let mut found = Alternatives {
        list: local(node),
        may_overlap: false,
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
    Ok(found)
}

/// The alternatives of all branches of a choice.
fn union<'s>(
    branches: &[SchemaNode<'s>],
    hops: u8,
    is_exclusive: bool,
) -> Result<Alternatives<'s>, Reason> {
    let mut list: Vec<Alternative<'s>> = Vec::new();
    let mut may_overlap = false;
    for branch in branches {
        let branch = expand_node(*branch, hops)?;
        let overlaps =
            |one: &Alternative<'s>| list.iter().any(|other| !are_disjoint(one, other, hops));
        may_overlap |= branch.may_overlap || (is_exclusive && branch.list.iter().any(overlaps));
        list.extend(branch.list);
        if list.len() > MOST_ALTERNATIVES {
            return Err("it has too many alternatives");
        }
    }
    Ok(Alternatives { list, may_overlap })
}
