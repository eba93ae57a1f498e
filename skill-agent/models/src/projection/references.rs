//! Finds recursive references, and writes out definitions in place of references.

use std::collections::{BTreeMap, BTreeSet};

use skill_agent_schema::{
    Branch, Descend, SchemaNode, definition, subschemas, subschemas_mut, visit_schema,
};
use skill_core::MAX_DEPTH;
use skill_core::serde_json::{Value, json};

use super::super::References;
use super::super::error::{Inexpressible, SchemaProblem};
use super::{MAX_SCHEMA_NODES, SchemaDialect, merge, nodes, overlay, take};
use crate::projection::keywords::notes;

/// A reference's path and its target.
type Reference = (String, String);

/// Replaces references with their definitions if the dialect does not support references, and returns the problems.
pub(super) fn write_out(schema: &mut Value, dialect: &SchemaDialect) -> Vec<SchemaProblem> {
    let found = references(schema);
    if found.is_empty() {
        return Vec::new();
    }
    let cycles = |within, part| cycles(schema, &found, within, &part);
    match dialect.references {
        References::All => Vec::new(),
        References::OptionalCycles => cycles(required_references, Inexpressible::RequiredRecursion),
        References::Inlined => {
            let problems = cycles(all_references, Inexpressible::Recursion);
            if problems.is_empty() {
                return inline_all(schema, 1);
            }
            problems
        }
        References::Unrolled(levels) => inline_all(schema, levels),
    }
}

/// Returns a problem for each type that contains itself. `within` selects which references in a definition to follow.
fn cycles(
    schema: &Value,
    found: &[Reference],
    within: fn(&Value) -> Vec<String>,
    part: &Inexpressible,
) -> Vec<SchemaProblem> {
    let edges = edges(schema, found, within);
    let endless = endless(&edges);
    let is_used = |(path, _): &&Reference| !path.starts_with("/$defs/");
    let used = found.iter().filter(is_used);
    let mut cycles: Vec<_> = used
        .filter(|(_, target)| endless.contains(target.as_str()))
        .collect();
    // report a type that contains itself twice only once
    cycles.dedup_by(|(_, later), (_, earlier)| later == earlier);
    let problem = |(path, _): &Reference| {
        let (path, part) = (path.clone(), part.clone());
        SchemaProblem { path, part }
    };
    cycles.into_iter().map(problem).collect()
}

fn inline_all(schema: &mut Value, levels: usize) -> Vec<SchemaProblem> {
    let document = schema.clone();
    let mut inliner = Inliner {
        document: &document,
        levels,
        within: Vec::new(),
        room: MAX_SCHEMA_NODES,
        is_too_deep: false,
    };
    inliner.inline(schema);
    let part = match inliner {
        Inliner {
            is_too_deep: true, ..
        } => Inexpressible::Depth,
        Inliner { room: 0, .. } => Inexpressible::Size,
        _ => {
            if let Some(object) = schema.as_object_mut() {
                take(object, "$defs");
            }
            return Vec::new();
        }
    };
    let path = String::new();
    vec![SchemaProblem { path, part }]
}

fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()
}

/// Returns all references with their paths.
fn references(schema: &Value) -> Vec<Reference> {
    let mut found = Vec::new();
    visit_schema(schema, &mut |path, node| {
        if let Some(target) = reference(node.value()) {
            found.push((path.to_string(), target.to_owned()));
        }
        Descend::Into
    });
    found
}

/// Returns the targets of all references in a schema.
pub(super) fn all_references(schema: &Value) -> Vec<String> {
    let found = references(schema).into_iter();
    found.map(|(_, target)| target).collect()
}

/// Returns the references that every value of a schema must follow because they are not in optional properties.
fn required_references(schema: &Value) -> Vec<String> {
    fn collect(node: SchemaNode<'_>, found: &mut Vec<String>) {
        found.extend(reference(node.value()).map(str::to_owned));
        let required = node.keyword("required").and_then(Value::as_array);
        subschemas(node, &mut |branch, part| match branch {
            Branch::Name("$defs", _) => {}
            Branch::Name("properties", name)
                if !required.is_some_and(|required| required.iter().any(|key| key == name)) => {}
            _ => collect(part, found),
        });
    }
    let mut found = Vec::new();
    collect(SchemaNode::root(schema), &mut found);
    found
}

/// Maps each target of a reference to the references in its definition.
fn edges(
    schema: &Value,
    found: &[Reference],
    within: fn(&Value) -> Vec<String>,
) -> BTreeMap<String, Vec<String>> {
    let targets = found.iter().map(|(_, target)| target.clone());
    targets
        .map(|target| {
            let definition = definition(schema, &target);
            let inner = definition.map(within).unwrap_or_default();
            (target, inner)
        })
        .collect()
}

/// Returns the definitions that contain themselves or lead to a definition that does. Repeatedly removes definitions that have no
/// references to the remaining ones.
fn endless(edges: &BTreeMap<String, Vec<String>>) -> BTreeSet<&str> {
    let mut left: BTreeMap<&str, usize> = BTreeMap::new();
    let mut before: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut finite = Vec::new();
    for (from, targets) in edges {
        let targets = targets.iter().filter(|target| edges.contains_key(*target));
        let mut count = 0;
        for target in targets {
            before.entry(target).or_default().push(from);
            count += 1;
        }
        left.insert(from, count);
        if count == 0 {
            finite.push(from.as_str());
        }
    }
    while let Some(target) = finite.pop() {
        left.remove(target);
        for from in before.remove(target).into_iter().flatten() {
            if let Some(count) = left.get_mut(from) {
                *count -= 1;
                if *count == 0 {
                    finite.push(from);
                }
            }
        }
    }
    left.into_keys().collect()
}

struct Inliner<'a> {
    document: &'a Value,
    /// How many times a definition is nested within itself.
    levels: usize,
    /// The definitions that surround the current schema after they were written out.
    within: Vec<String>,
    /// The number of parts that may still be written.
    room: usize,
    is_too_deep: bool,
}

impl Inliner<'_> {
    /// Replaces references with their definitions.
    fn inline(&mut self, schema: &mut Value) {
        let depth = self.within.len();
        while let Some(target) = reference(schema).map(str::to_owned) {
            let definition = definition(self.document, &target).and_then(Value::as_object);
            let Some((object, definition)) = schema.as_object_mut().zip(definition) else {
                break;
            };
            take(object, "$ref");
            let is_same = |outer: &&String| **outer == target;
            if self.within.iter().filter(is_same).count() >= self.levels {
                let name = target.rsplit('/').next().unwrap_or_default();
                overlay(object, definition);
                object.retain(|key, _| key == "type" || key == "description");
                notes::add(object, &[("recursive", json!(name))]);
                break;
            }
            if !merge::has_siblings(object) {
                overlay(object, definition);
            } else if let Some(whole) = merge::merged(object.clone(), definition) {
                *object = whole;
            } else {
                // the part is written out below; `combine` reports it if the dialect lacks `allOf`
                let parts = object.entry("allOf").or_insert_with(|| json!([]));
                let parts = parts.as_array_mut().into_iter();
                parts.for_each(|parts| parts.push(json!({ "$ref": target })));
                break;
            }
            take(object, "$defs");
            self.is_too_deep |= self.within.len() >= MAX_DEPTH;
            self.within.push(target);
            self.room = self.room.saturating_sub(nodes(schema));
            if self.is_full() {
                break;
            }
        }
        subschemas_mut(schema, &mut |branch, part| {
            if branch.keyword() != "$defs" && !self.is_full() {
                self.inline(part);
            }
        });
        self.within.truncate(depth);
    }

    fn is_full(&self) -> bool {
        self.room == 0 || self.is_too_deep
    }
}
