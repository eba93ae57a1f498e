//! Converts references to the forms that all providers support: `#`, or `#/$defs/` and a name.
//!
//! JSON Schema also allows references to any other part, such as a property, to an `$anchor`, and to a schema with its own `$id`.
//! Below a schema with an `$id`, `#` refers to that schema.

use std::collections::{BTreeMap, BTreeSet};

use skill_agent_schema::{Descend, definition, percent_decoded, visit_schema, visit_schema_mut};
use skill_core::serde_json::{Value, json};

use super::super::error::{Inexpressible, SchemaProblem};
use super::references::all_references;
use super::{MAX_SCHEMA_NODES, merge, nodes, overlay, take};

/// The maximum length of a chain of definitions at the schema's root.
const MOST_HOPS: u8 = 16;

/// Rewrites each reference so that it points to the root or to a definition at the root. Other targets are copied to the
/// definitions.
///
/// # Errors
///
/// Returns the references that have no target.
pub(super) fn resolve(schema: &mut Value, origins: &mut Origins) -> Result<(), Vec<SchemaProblem>> {
    let found = Found::of(schema);
    let mut names = Names::of(schema);
    let (mut targets, mut problems) = (BTreeMap::new(), Vec::new());
    for Reference { path, base, target } in &found.references {
        let place = found.place(base, target);
        match place.and_then(|place| names.reference(&place)) {
            Some(reference) => {
                targets.insert(path.as_str(), reference);
            }
            None => problems.push(SchemaProblem {
                path: path.clone(),
                part: Inexpressible::Reference(target.clone()),
            }),
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    visit_schema_mut(schema, &mut |path, schema| {
        let path = path.to_string();
        if let Some(object) = schema.as_object_mut() {
            if let Some(target) = targets.remove(path.as_str()) {
                object.insert("$ref".to_owned(), target.into());
            }
            object
                .retain(|keyword, _| keyword != "$anchor" && (keyword != "$id" || path.is_empty()));
        }
        Descend::Into
    });
    let copied = names.copy(schema);
    origins.copied = copied.ok_or_else(|| whole(Inexpressible::Size))?;
    without_inner_definitions(schema);
    write_out_root(schema)
}

fn whole(part: Inexpressible) -> Vec<SchemaProblem> {
    let path = String::new();
    vec![SchemaProblem { path, part }]
}

/// Maps parts to their places in the original schema.
#[derive(Default)]
pub(super) struct Origins {
    /// The original paths of the parts that were copied to the definitions, keyed by the paths of the copies.
    copied: BTreeMap<String, String>,
    /// Whether the original keyword was `definitions`, as in draft 7.
    has_old_name: bool,
}

impl Origins {
    /// Creates the map for an unchanged schema.
    pub(super) fn new(schema: &Value) -> Self {
        Self {
            has_old_name: schema.get("definitions").is_some() && schema.get("$defs").is_none(),
            ..Self::default()
        }
    }

    /// Returns a part's path in the original schema.
    pub(super) fn of(&self, path: &str) -> String {
        let within = |copy: &str| {
            let below = path.strip_prefix(copy)?;
            (below.is_empty() || below.starts_with('/')).then_some(below)
        };
        let origin = self
            .copied
            .iter()
            .find_map(|(copy, origin)| Some(origin.clone() + within(copy)?));
        let origin = origin.unwrap_or_else(|| path.to_owned());
        match origin.strip_prefix("/$defs") {
            Some(below) if self.has_old_name => format!("/definitions{below}"),
            _ => origin,
        }
    }
}

struct Reference {
    path: String,
    /// The path of the schema that `#` refers to.
    base: String,
    target: String,
}

/// A schema's references, and the identifiers that references can use instead of paths.
#[derive(Default)]
struct Found {
    references: Vec<Reference>,
    /// The paths of all schemas.
    paths: BTreeSet<String>,
    /// The paths of the schemas with an `$id`, keyed by id.
    by_id: BTreeMap<String, String>,
    /// The paths of the schemas with an `$anchor`, keyed by the path that `#` refers to and by the anchor.
    anchors: BTreeMap<(String, String), String>,
}

impl Found {
    fn of(schema: &Value) -> Self {
        let mut found = Self::default();
        let mut bases = vec![String::new()];
        visit_schema(schema, &mut |path, node| {
            let path = path.to_string();
            let is_within = |base: &String| {
                let below = path.strip_prefix(base.as_str());
                below.is_some_and(|below| below.is_empty() || below.starts_with('/'))
            };
            while !bases.last().is_none_or(is_within) {
                bases.pop();
            }
            let text = |keyword| node.keyword(keyword).and_then(Value::as_str);
            let anchor = |id: &str| id.strip_prefix('#').map(str::to_owned);
            let mut anchors = Vec::from_iter(text("$anchor").map(str::to_owned));
            if let Some(id) = text("$id") {
                // in draft 7, this is an anchor
                match anchor(id) {
                    Some(name) => anchors.push(name),
                    None => {
                        let id = id.trim_end_matches('#').to_owned();
                        found.by_id.entry(id).or_insert_with(|| path.clone());
                        if !path.is_empty() {
                            bases.push(path.clone());
                        }
                    }
                }
            }
            let base = bases.last().cloned().unwrap_or_default();
            for name in anchors {
                found.anchors.insert((base.clone(), name), path.clone());
            }
            found.paths.insert(path.clone());
            if let Some(target) = text("$ref") {
                let target = target.to_owned();
                found.references.push(Reference { path, base, target });
            }
            Descend::Into
        });
        found
    }

    /// Returns the path of a reference's target.
    fn place(&self, base: &str, target: &str) -> Option<String> {
        let (id, fragment) = target.split_once('#').unwrap_or((target, ""));
        let base = if id.is_empty() {
            base
        } else {
            self.by_id.get(id)?
        };
        let fragment = percent_decoded(fragment);
        if fragment.is_empty() || fragment.starts_with('/') {
            let path = format!("{base}{fragment}");
            // in draft 7, this is the keyword for definitions
            let paths = [path.replace("/definitions/", "/$defs/"), path];
            return paths.into_iter().rfind(|path| self.paths.contains(path));
        }
        let anchor = (base.to_owned(), fragment.into_owned());
        self.anchors.get(&anchor).cloned()
    }
}

/// The names of definitions, both existing and new.
struct Names {
    taken: BTreeSet<String>,
    /// The names of the parts to copy to the definitions, keyed by path.
    copied: BTreeMap<String, String>,
}

impl Names {
    fn of(schema: &Value) -> Self {
        let definitions = schema.get("$defs").and_then(Value::as_object);
        let taken = definitions.into_iter().flatten();
        Self {
            taken: taken.map(|(name, _)| name.clone()).collect(),
            copied: BTreeMap::new(),
        }
    }

    /// Returns the reference to the schema at a path.
    fn reference(&mut self, place: &str) -> Option<String> {
        if place.is_empty() {
            return Some("#".to_owned());
        }
        let mut steps = place.split('/').skip(1);
        let is_definition = steps.next() == Some("$defs") && steps.clone().count() == 1;
        if is_definition {
            return Some(format!("#{}", place.replace('%', "%25")));
        }
        let name = match self.copied.get(place) {
            Some(name) => name.clone(),
            None => {
                let last = place.rsplit('/').next()?;
                let is_word = |char: &char| char.is_ascii_alphanumeric() || *char == '_';
                let word: String = last.chars().filter(is_word).collect();
                let names = (1..).map(|number| match number {
                    1 if !word.is_empty() => word.clone(),
                    number => format!("{word}_{number}"),
                });
                let mut free = names.filter(|name| !self.taken.contains(name));
                let name = free.next()?;
                self.taken.insert(name.clone());
                self.copied.insert(place.to_owned(), name.clone());
                name
            }
        };
        Some(format!("#/$defs/{name}"))
    }

    /// Copies the parts to the definitions, and maps the paths of the copies to the original paths. Returns `None` if there are
    /// too many parts.
    fn copy(self, schema: &mut Value) -> Option<BTreeMap<String, String>> {
        let mut room = MAX_SCHEMA_NODES;
        let (mut copies, mut copied) = (Vec::new(), BTreeMap::new());
        for (place, name) in self.copied {
            let part = schema.pointer(&place)?;
            room = room.checked_sub(nodes(part))?;
            copies.push((name.clone(), part.clone()));
            copied.insert(format!("/$defs/{name}"), place);
        }
        if !copies.is_empty() {
            let definitions = schema.as_object_mut()?.entry("$defs");
            let definitions = definitions.or_insert_with(|| json!({}));
            definitions.as_object_mut()?.extend(copies);
        }
        Some(copied)
    }
}

/// Removes nested definitions, which are no longer used by any reference.
fn without_inner_definitions(schema: &mut Value) {
    visit_schema_mut(schema, &mut |path, schema| {
        if path.branch().is_some()
            && let Some(object) = schema.as_object_mut()
        {
            take(object, "$defs");
        }
        Descend::Into
    });
}

/// Replaces a reference at the root of a schema with its definition, because no provider follows it.
fn write_out_root(schema: &mut Value) -> Result<(), Vec<SchemaProblem>> {
    for _ in 0..MOST_HOPS {
        let target = schema.get("$ref").and_then(Value::as_str);
        let target = target.and_then(|target| definition(schema, target));
        let target = target.and_then(Value::as_object).cloned();
        match (schema.as_object_mut(), target) {
            (Some(object), Some(target)) if !merge::has_siblings(object) => {
                take(object, "$ref");
                overlay(object, &target);
            }
            _ => return Ok(()),
        }
    }
    Err(whole(Inexpressible::Recursion))
}

/// Removes unused definitions.
pub(super) fn without_unused_definitions(schema: &mut Value) {
    // the key keeps its position
    let taken = schema.get_mut("$defs").map(Value::take);
    let Some(Value::Object(mut definitions)) = taken else {
        return;
    };
    let (mut used, mut todo) = (BTreeSet::new(), all_references(schema));
    while let Some(target) = todo.pop() {
        let name = percent_decoded(target.strip_prefix("#/$defs/").unwrap_or_default());
        let name = name.replace("~1", "/").replace("~0", "~");
        if let Some(part) = definitions.get(&name)
            && used.insert(name)
        {
            todo.extend(all_references(part));
        }
    }
    definitions.retain(|name, _| used.contains(name));
    if let Some(object) = schema.as_object_mut() {
        if definitions.is_empty() {
            take(object, "$defs");
        } else {
            object.insert("$defs".to_owned(), definitions.into());
        }
    }
}
