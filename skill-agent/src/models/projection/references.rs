//! References: which of them are recursive, and the definitions in their place.

use std::collections::{BTreeMap, BTreeSet};

use skill_core::__private::{
    Branch, Descend, SchemaNode, definition, subschemas, subschemas_mut, visit_schema,
};
use skill_core::serde_json::{Value, json};

use super::super::References;
use super::super::error::{Inexpressible, SchemaProblem};
use super::{MAX_SCHEMA_NODES, SchemaDialect, merge, nodes, notes, overlay, take};

/// A reference: its path, and what it refers to.
type Reference = (String, String);

/// Writes the definitions in the place of references, where the dialect has none. Returns what cannot be expressed.
pub(super) fn write_out(schema: &mut Value, dialect: &SchemaDialect) -> Vec<SchemaProblem> {
    let found = references(schema);
    let is_lost = |(_, target): &&Reference| definition(schema, target).is_none();
    let lost = found
        .iter()
        .filter(is_lost)
        .map(|(path, target)| SchemaProblem {
            path: path.clone(),
            part: Inexpressible::Reference(target.clone()),
        });
    let lost: Vec<_> = lost.collect();
    if !lost.is_empty() || found.is_empty() {
        return lost;
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

/// A problem for each type that contains itself by the references `within` definitions.
fn cycles(
    schema: &Value,
    found: &[Reference],
    within: fn(&Value) -> Vec<String>,
    part: &Inexpressible,
) -> Vec<SchemaProblem> {
    let edges = edges(schema, found, within);
    let is_used = |(path, _): &&Reference| !path.starts_with("/$defs/");
    let used = found.iter().filter(is_used);
    let mut cycles: Vec<_> = used
        .filter(|(_, target)| reaches_cycle(&edges, target))
        .collect();
    // a type that contains itself twice is one mistake
    cycles.dedup_by(|(_, later), (_, earlier)| later == earlier);
    let problem = |(path, _): &Reference| {
        let (path, part) = (path.clone(), part.clone());
        SchemaProblem { path, part }
    };
    cycles.into_iter().map(problem).collect()
}

fn inline_all(schema: &mut Value, levels: usize) -> Vec<SchemaProblem> {
    let document = schema.clone();
    let mut room = MAX_SCHEMA_NODES;
    inline(schema, &document, levels, &mut Vec::new(), &mut room);
    if room == 0 {
        let (path, part) = (String::new(), Inexpressible::Size);
        return vec![SchemaProblem { path, part }];
    }
    if let Some(object) = schema.as_object_mut() {
        take(object, "$defs");
    }
    Vec::new()
}

fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()
}

/// All references, with their paths.
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

fn all_references(schema: &Value) -> Vec<String> {
    let found = references(schema).into_iter();
    found.map(|(_, target)| target).collect()
}

/// The references that every value of a schema follows, as far as properties may be left out.
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

/// For each target of a reference the references in its definition.
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

/// Whether a definition contains itself, or leads to one that does.
fn reaches_cycle(edges: &BTreeMap<String, Vec<String>>, from: &str) -> bool {
    let contains_itself = |target: &str| reached(edges, target).contains(target);
    contains_itself(from) || reached(edges, from).into_iter().any(contains_itself)
}

/// The definitions that one leads to.
fn reached<'a>(edges: &'a BTreeMap<String, Vec<String>>, from: &str) -> BTreeSet<&'a str> {
    let next = |target: &str| edges.get(target).into_iter().flatten().map(String::as_str);
    let (mut reached, mut todo) = (BTreeSet::new(), Vec::from_iter(next(from)));
    while let Some(target) = todo.pop() {
        if reached.insert(target) {
            todo.extend(next(target));
        }
    }
    reached
}

/// Writes definitions in the place of references, each at most `levels` times within itself.
fn inline(
    schema: &mut Value,
    document: &Value,
    levels: usize,
    within: &mut Vec<String>,
    room: &mut usize,
) {
    let depth = within.len();
    while let Some(target) = reference(schema).map(str::to_owned) {
        let definition = definition(document, &target).and_then(Value::as_object);
        let Some((object, definition)) = schema.as_object_mut().zip(definition) else {
            break;
        };
        take(object, "$ref");
        if within.iter().filter(|outer| **outer == target).count() >= levels {
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
            // its parts are inlined below; `combine` reports it where the dialect has no `allOf`
            let parts = object.entry("allOf").or_insert_with(|| json!([]));
            let parts = parts.as_array_mut().into_iter();
            parts.for_each(|parts| parts.push(json!({ "$ref": target })));
            break;
        }
        take(object, "$defs");
        within.push(target);
        *room = room.saturating_sub(nodes(schema));
        if *room == 0 {
            break;
        }
    }
    subschemas_mut(schema, &mut |branch, part| {
        if branch.keyword() != "$defs" && *room > 0 {
            inline(part, document, levels, within, room);
        }
    });
    within.truncate(depth);
}
