//! Combines schemas that apply to the same value: the parts of `allOf`, and keywords next to a reference or a choice.

use skill_agent_schema::{Descend, SchemaPath, definition, visit_schema_mut};
use skill_core::MAX_DEPTH;
use skill_core::serde_json::{Value, json};

use super::super::error::{Inexpressible, SchemaProblem};
use super::merge::{has_siblings, is_mixed, merged};
use super::{MAX_SCHEMA_NODES, Object, SchemaDialect, check, merge, nodes, take};

/// Merges everything that applies to a tool's arguments into one object, because no provider accepts `allOf` or a reference
/// there.
pub(super) fn combine_root(
    schema: &mut Value,
    dialect: &SchemaDialect,
) -> Result<(), SchemaProblem> {
    let document = schema.clone();
    let mut combiner = Combiner::new(&document, dialect);
    let Some(object) = schema.as_object_mut() else {
        return Ok(());
    };
    loop {
        let (keyword, merged) = if object.contains_key("allOf") {
            ("allOf", combiner.all_of(object, &SchemaPath::ROOT))
        } else if object.contains_key("$ref") {
            ("$ref", combiner.with_definition(object, &SchemaPath::ROOT))
        } else {
            return Ok(());
        };
        let path = || format!("/{keyword}");
        *object = merged.map_err(|part| SchemaProblem { path: path(), part })?;
    }
}

/// Combines such schemas where the dialect does not allow them next to each other. Returns the parts that cannot be combined.
pub(super) fn combine(schema: &mut Value, dialect: &SchemaDialect) -> Vec<SchemaProblem> {
    let document = schema.clone();
    let mut combiner = Combiner::new(&document, dialect);
    let mut problems = Vec::new();
    visit_schema_mut(schema, &mut |path, schema| {
        let is_moved = |keyword| check::is_moved(keyword, dialect);
        if path
            .branch()
            .is_some_and(|branch| is_moved(branch.keyword()))
        {
            return Descend::Past;
        }
        let Some(object) = schema.as_object_mut() else {
            return Descend::Past;
        };
        let Err(part) = combiner.combine(object, path) else {
            return Descend::Into;
        };
        let path = path.to_string();
        problems.push(SchemaProblem { path, part });
        Descend::Past
    });
    if combiner.room == 0 {
        let (path, part) = (String::new(), Inexpressible::Size);
        return vec![SchemaProblem { path, part }];
    }
    problems
}

struct Combiner<'a> {
    dialect: &'a SchemaDialect,
    document: &'a Value,
    /// The definitions that surround the current schema after they were written out, each with its path.
    within: Vec<(String, String)>,
    /// The number of parts that may still be written.
    room: usize,
}

impl<'a> Combiner<'a> {
    fn new(document: &'a Value, dialect: &'a SchemaDialect) -> Self {
        Self {
            dialect,
            document,
            within: Vec::new(),
            room: MAX_SCHEMA_NODES,
        }
    }

    fn combine(&mut self, object: &mut Object, path: &SchemaPath<'_>) -> Result<(), Inexpressible> {
        self.leave(path);
        loop {
            if object.contains_key("allOf") && !self.dialect.keywords.has("allOf") {
                *object = self.all_of(object, path)?;
            } else if self.must_write_out(object) {
                *object = self.with_definition(object, path)?;
            } else {
                break;
            }
        }
        if object.contains_key("$ref") && !self.dialect.reference_siblings {
            wrap_reference(object);
        }
        if is_mixed(object, self.dialect) {
            let choice = merge::distributed(object).ok_or(Inexpressible::Combination)?;
            *object = self.counted(choice)?;
        }
        Ok(())
    }

    /// Forgets the definitions that do not surround `path`.
    fn leave(&mut self, path: &SchemaPath<'_>) {
        if self.within.is_empty() {
            return;
        }
        let path = path.to_string();
        self.within.retain(|(outer, _)| {
            let below = path.strip_prefix(outer.as_str());
            below.is_some_and(|below| below.starts_with('/'))
        });
    }

    /// Returns whether a reference with restricting keywords next to it must be replaced with its definition. Some readers ignore
    /// such keywords, and others close both objects separately.
    fn must_write_out(&self, object: &Object) -> bool {
        object.contains_key("$ref")
            && has_siblings(object)
            && (self.dialect.closed || !self.dialect.reference_siblings)
    }

    fn all_of(&mut self, object: &Object, path: &SchemaPath<'_>) -> Result<Object, Inexpressible> {
        let mut whole = object.clone();
        let Some(Value::Array(parts)) = take(&mut whole, "allOf") else {
            return Err(Inexpressible::Combination);
        };
        for part in &parts {
            let part = part.as_object().ok_or(Inexpressible::Combination)?;
            if whole.contains_key("$ref") && part.contains_key("$ref") {
                whole = self.with_definition(&whole, path)?;
            }
            whole = merged(whole, part).ok_or(Inexpressible::Combination)?;
        }
        self.counted(whole)
    }

    /// Returns the schema with the definition in place of its reference.
    fn with_definition(
        &mut self,
        object: &Object,
        path: &SchemaPath<'_>,
    ) -> Result<Object, Inexpressible> {
        let mut siblings = object.clone();
        let target = match take(&mut siblings, "$ref") {
            Some(Value::String(target)) => target,
            other => return Err(Inexpressible::Reference(json!(other).to_string())),
        };
        let mut outer = self.within.iter().filter(|(_, outer)| *outer == target);
        if let Some((outer, _)) = outer.next() {
            // two parts may have the same definition; applying it once is enough
            let is_again = *outer == path.to_string() && !self.holds_itself(&target);
            if is_again {
                return Ok(siblings);
            }
            return Err(Inexpressible::Recursion);
        }
        if self.within.len() >= MAX_DEPTH {
            return Err(Inexpressible::Depth);
        }
        let definition = definition(self.document, &target).and_then(Value::as_object);
        let Some(mut definition) = definition.cloned() else {
            return Err(Inexpressible::Reference(target));
        };
        take(&mut definition, "$defs");
        self.within.push((path.to_string(), target));
        let whole = merged(siblings, &definition).ok_or(Inexpressible::Combination)?;
        self.counted(whole)
    }

    /// Returns whether a definition refers to itself for the same value.
    fn holds_itself(&self, target: &str) -> bool {
        let (mut seen, mut left) = (Vec::new(), vec![target]);
        while let Some(next) = left.pop() {
            let Some(parts) = definition(self.document, next) else {
                continue;
            };
            let all = parts.get("allOf").and_then(Value::as_array);
            let parts = std::iter::once(parts).chain(all.into_iter().flatten());
            for part in parts.filter_map(|part| part.get("$ref")?.as_str()) {
                if part == target {
                    return true;
                }
                if !seen.contains(&part) {
                    seen.push(part);
                    left.push(part);
                }
            }
        }
        false
    }

    fn counted(&mut self, whole: Object) -> Result<Object, Inexpressible> {
        let whole = Value::Object(whole);
        self.room = self.room.saturating_sub(nodes(&whole));
        match whole {
            Value::Object(whole) if self.room > 0 => Ok(whole),
            _ => Err(Inexpressible::Size),
        }
    }
}

/// Wraps a reference that has annotations next to it in a choice with one alternative. For a recursive type, writing out the
/// definition would never end.
fn wrap_reference(object: &mut Object) {
    if object.keys().all(|keyword| keyword.starts_with('$')) {
        return;
    }
    if let Some(target) = take(object, "$ref") {
        object.insert("anyOf".to_owned(), json!([{ "$ref": target }]));
    }
}
