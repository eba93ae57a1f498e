//! References: which of them are recursive, and the definitions in their place.

use std::collections::BTreeMap;

use skill_core::__private::{
    Branch, Descend, SchemaNode, subschemas, subschemas_mut, visit_schema,
};
use skill_core::serde_json::{Value, json};

use super::super::References;
use super::super::error::{Inexpressible, SchemaProblem};
use super::{MAX_SCHEMA_NODES, SchemaDialect, nodes, notes, overlay, take};

/// Writes the definitions in the place of references, where the dialect has none. Returns what cannot be expressed.
pub(super) fn write_out(schema: &mut Value, dialect: &SchemaDialect) -> Vec<SchemaProblem> {
    let found = references(schema);
    let problem = |(path, target): &(String, String), part: fn(String) -> Inexpressible| {
        let (path, part) = (path.clone(), part(target.clone()));
        SchemaProblem { path, part }
    };
    let lost = |(_, target): &&(String, String)| definition(schema, target).is_none();
    let mut problems: Vec<_> = found
        .iter()
        .filter(lost)
        .map(|reference| problem(reference, Inexpressible::Reference))
        .collect();
    if !problems.is_empty() || found.is_empty() {
        return problems;
    }
    let cycles = |within: fn(&Value) -> Vec<String>| {
        let edges = edges(schema, &found, within);
        let in_cycle = move |target: &str| reaches(&edges, target);
        let used = found
            .iter()
            .filter(|(path, _)| !path.starts_with("/$defs/"));
        // a type that contains itself twice is one mistake
        let mut used: Vec<_> = used.filter(|(_, target)| in_cycle(target)).collect();
        used.dedup_by(|(_, later), (_, earlier)| later == earlier);
        used
    };
    let levels = match dialect.references {
        References::All => return problems,
        References::OptionalCycles => {
            let cycles = cycles(required_references);
            problems.extend(
                cycles
                    .into_iter()
                    .map(|reference| problem(reference, |_| Inexpressible::RequiredRecursion)),
            );
            return problems;
        }
        References::Inlined => {
            let cycles = cycles(all_references);
            problems.extend(
                cycles
                    .into_iter()
                    .map(|reference| problem(reference, |_| Inexpressible::Recursion)),
            );
            1
        }
        References::Unrolled(levels) => levels,
    };
    if problems.is_empty() {
        let document = schema.clone();
        let mut room = MAX_SCHEMA_NODES;
        inline(schema, &document, levels, &mut Vec::new(), &mut room);
        if let Some(object) = schema.as_object_mut() {
            take(object, "$defs");
        }
        if room == 0 {
            let (path, part) = (String::new(), Inexpressible::Size);
            problems.push(SchemaProblem { path, part });
        }
    }
    problems
}

/// The schema that a reference within `document` leads to.
pub(super) fn definition<'a>(document: &'a Value, target: &str) -> Option<&'a Value> {
    document.pointer(target.strip_prefix('#')?)
}

pub(super) fn reference(schema: &Value) -> Option<&str> {
    schema.get("$ref")?.as_str()
}

/// All references, with their paths.
fn references(schema: &Value) -> Vec<(String, String)> {
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
    found: &[(String, String)],
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

/// Whether a definition leads to one that contains itself.
fn reaches(edges: &BTreeMap<String, Vec<String>>, from: &str) -> bool {
    let next = |target: &str| edges.get(target).into_iter().flatten().map(String::as_str);
    let closure = |from: &str| {
        let (mut seen, mut todo) = (Vec::new(), next(from).collect::<Vec<_>>());
        while let Some(target) = todo.pop() {
            if !seen.contains(&target.to_owned()) {
                seen.push(target.to_owned());
                todo.extend(next(target));
            }
        }
        seen
    };
    let reached = closure(from);
    let is_in_cycle = |target: &String| closure(target).contains(target);
    is_in_cycle(&from.to_owned()) || reached.iter().any(is_in_cycle)
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
        overlay(object, definition);
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
