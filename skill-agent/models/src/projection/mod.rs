//! Projects a tool's neutral schema into a provider's dialect.
//!
//! A projection has five steps. The schema is normalized, so that its draft and generator no longer matter. References that the
//! dialect does not support are written out. Schemas that apply to the same value are merged. Everything that cannot be expressed
//! is reported with its path. Then each part is rewritten, parents first. A keyword that the dialect does not support is moved
//! into the description, in the notation of Anthropic's libraries: `{minimum: 1, maximum: 10}`.

mod check;
mod combine;
pub(crate) mod keywords;
mod malformed;
mod merge;
mod normal;
mod references;
mod resolve;
mod rewrite;

use skill_agent_schema::{Descend, visit_schema, visit_schema_mut};
use skill_core::Tool;
use skill_core::serde_json::{Map, Value, json};

pub use check::{argument_at_root, impossible_argument, is_object};
pub(crate) use keywords::nulls::allows_null;
use resolve::Origins;

use super::error::{Inexpressible, SchemaError, SchemaProblem};
use crate::provider::dialect::{MAX_SCHEMA_NODES, SchemaDialect};

type Object = Map<String, Value>;

/// Returns the schema of a tool's arguments, without repeating the tool's description.
pub(super) fn arguments(tool: &Tool<'_>, dialect: &SchemaDialect) -> Result<Value, SchemaError> {
    let (mut schema, origins) = normal(tool.input_schema(), dialect)?;
    combine::combine_root(&mut schema, dialect)
        .map_err(|problem| error(dialect, &origins, vec![problem]))?;
    let is_boolean = tool.input_schema().is_boolean();
    let fault = is_boolean.then_some(Inexpressible::NoObject);
    if let Some(part) = fault.or_else(|| check::root(&schema)) {
        return Err(one(dialect, part));
    }
    if let Some(object) = schema.as_object_mut() {
        object.retain(|key, value| key != "description" || value != tool.description);
        object.entry("type").or_insert_with(|| json!("object"));
        // OpenAI rejects an object without `properties`
        object.entry("properties").or_insert_with(|| json!({}));
    }
    projected(schema, &origins, dialect)
}

/// Projects a schema into a dialect.
pub(super) fn project(schema: &Value, dialect: &SchemaDialect) -> Result<Value, SchemaError> {
    let (schema, origins) = normal(schema, dialect)?;
    projected(schema, &origins, dialect)
}

/// Returns the normal form of a schema, and the original places of its parts.
fn normal(schema: &Value, dialect: &SchemaDialect) -> Result<(Value, Origins), SchemaError> {
    if nodes(schema) > MAX_SCHEMA_NODES {
        return Err(one(dialect, Inexpressible::Size));
    }
    let mut origins = Origins::new(schema);
    let mut schema = schema.clone();
    normal::without_old_words(&mut schema);
    let problems = malformed::malformed(&schema);
    if !problems.is_empty() {
        return Err(error(dialect, &origins, problems));
    }
    let resolved = resolve::resolve(&mut schema, &mut origins);
    resolved.map_err(|problems| error(dialect, &origins, problems))?;
    normal::without_booleans(&mut schema);
    Ok((schema, origins))
}

fn projected(
    mut schema: Value,
    origins: &Origins,
    dialect: &SchemaDialect,
) -> Result<Value, SchemaError> {
    let mut problems = references::write_out(&mut schema, dialect);
    if problems.is_empty() {
        problems = combine::combine(&mut schema, dialect);
    }
    if problems.is_empty() {
        resolve::without_unused_definitions(&mut schema);
        normal::name_types(&mut schema);
        problems = check::check(&schema, dialect);
    }
    if !problems.is_empty() {
        return Err(error(dialect, origins, problems));
    }
    visit_schema_mut(&mut schema, &mut |path, schema| {
        let object = schema.as_object_mut();
        if let Some(Err(part)) = object.map(|object| rewrite::rewrite(object, dialect)) {
            let path = path.to_string();
            problems.push(SchemaProblem { path, part });
        }
        Descend::Into
    });
    if !problems.is_empty() {
        return Err(error(dialect, origins, problems));
    }
    if nodes(&schema) > MAX_SCHEMA_NODES {
        return Err(one(dialect, Inexpressible::Size));
    }
    Ok(schema)
}

fn error(
    dialect: &SchemaDialect,
    origins: &Origins,
    mut problems: Vec<SchemaProblem>,
) -> SchemaError {
    for problem in &mut problems {
        problem.path = origins.of(&problem.path);
    }
    SchemaError::new(dialect.name, problems)
}

fn one(dialect: &SchemaDialect, part: Inexpressible) -> SchemaError {
    let path = String::new();
    SchemaError::new(dialect.name, vec![SchemaProblem { path, part }])
}

fn nodes(schema: &Value) -> usize {
    let mut nodes = 0;
    visit_schema(schema, &mut |_, _| {
        nodes += 1;
        Descend::Into
    });
    nodes
}

/// Removes a keyword, keeping the order of the other keywords, which `Map::remove` would change.
fn take(object: &mut Object, keyword: &str) -> Option<Value> {
    let value = object.get_mut(keyword)?.take();
    object.retain(|key, _| key != keyword);
    Some(value)
}

/// Adds the keywords of `below` that `object` lacks, and keeps the order of `below` for the keywords that both have.
fn overlay(object: &mut Object, below: &Object) {
    let above = std::mem::replace(object, below.clone());
    object.extend(above);
}

/// Returns the types that a schema names.
fn types(object: &Object) -> Vec<&str> {
    match object.get("type") {
        Some(Value::String(kind)) => vec![kind],
        Some(Value::Array(kinds)) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => Vec::new(),
    }
}

fn list_mut<'a>(object: &'a mut Object, keyword: &str) -> Option<&'a mut Vec<Value>> {
    object.get_mut(keyword)?.as_array_mut()
}

fn properties(object: &Object) -> Option<&Object> {
    object.get("properties")?.as_object()
}

/// Returns whether an object may have keys that its schema does not name but for whose values it has a schema.
fn is_map(object: &Object) -> bool {
    let others = object.get("additionalProperties");
    others.is_some_and(|others| *others != Value::Bool(false))
        || object.contains_key("patternProperties")
}
