//! Finds the constructs that a dialect cannot express.

use skill_agent_schema::{Branch, Descend, SchemaNode, subschemas, visit_schema};
use skill_core::serde_json::Value;

use super::super::error::{Inexpressible, SchemaProblem};
use super::{Object, SchemaDialect, is_map, properties, types};
use crate::projection::keywords::literals;

/// Returns why a schema cannot be the schema of a tool's arguments, if it cannot. No provider accepts a choice there.
pub(super) fn root(schema: &Value) -> Option<Inexpressible> {
    let has_choice = ["oneOf", "anyOf", "enum", "not"]
        .iter()
        .any(|keyword| schema.get(keyword).is_some());
    if has_choice {
        return Some(Inexpressible::Choice);
    }
    (!is_object(schema)).then_some(Inexpressible::NoObject)
}

/// Returns whether a schema may describe arguments, which must be an object even if the schema omits `type`.
pub fn is_object(schema: &Value) -> bool {
    let Some(keywords) = schema.as_object() else {
        return false;
    };
    match keywords.get("type") {
        Some(kind) => kind == "object",
        None if keywords.contains_key("enum") || keywords.contains_key("const") => false,
        None => literals::meant_type(keywords).is_none_or(|kind| kind == "object"),
    }
}

/// Returns a key at the root of a schema that has a schema as its value but is not a keyword. The key was probably meant to be
/// under `properties`.
pub fn argument_at_root(schema: &Value) -> Option<&str> {
    /// Keywords whose values may be any object.
    const OF_DATA: [&str; 3] = ["default", "const", "properties"];
    let root = schema.as_object()?;
    if root.contains_key("properties") || root.get("type").is_some_and(|kind| kind == "object") {
        return None;
    }
    let mut keywords = OF_DATA.to_vec();
    subschemas(SchemaNode::root(schema), &mut |branch, _| {
        keywords.push(branch.keyword());
    });
    let mut arguments = root.iter().filter(|(key, value)| {
        let is_keyword =
            keywords.contains(&key.as_str()) || key.starts_with('$') || key.starts_with("x-");
        !is_keyword && value.get("type").is_some_and(Value::is_string)
    });
    arguments.next().map(|(key, _)| key.as_str())
}

/// Returns a required property that no arguments can have, because it is not in `properties` and the schema allows no other
/// properties.
pub fn impossible_argument(schema: &Value) -> Option<&str> {
    let root = schema.as_object()?;
    // before 2019, keywords next to a reference had no effect
    let is_open = ["$ref", "patternProperties"]
        .iter()
        .any(|keyword| root.contains_key(*keyword));
    if is_open || *root.get("additionalProperties")? != false {
        return None;
    }
    let properties = properties(root);
    let required = root.get("required")?.as_array()?.iter();
    let mut names = required.filter_map(Value::as_str);
    names.find(|name| properties.is_none_or(|properties| !properties.contains_key(*name)))
}

/// Returns all parts of a schema that the dialect cannot express.
pub(super) fn check(schema: &Value, dialect: &SchemaDialect) -> Vec<SchemaProblem> {
    let mut problems = Vec::new();
    visit_schema(schema, &mut |path, node| {
        let branch = path.branch();
        let Some(object) = node.value().as_object() else {
            return Descend::Past;
        };
        if branch.is_some_and(|branch| is_moved(branch.keyword(), dialect)) {
            return Descend::Past;
        }
        let name = match branch {
            Some(Branch::Name("properties", name)) => Some(name),
            _ => None,
        };
        if name.is_some_and(|name| !dialect.property_names.allow(name)) {
            let (path, part) = (path.to_string(), Inexpressible::PropertyName);
            problems.push(SchemaProblem { path, part });
        }
        for (within, part) in refused(object, dialect) {
            let path = format!("{path}{within}");
            problems.push(SchemaProblem { path, part });
        }
        match part(object, dialect, branch.is_none()) {
            Some(part) => {
                let path = path.to_string();
                problems.push(SchemaProblem { path, part });
                Descend::Past
            }
            None => Descend::Into,
        }
    });
    problems
}

/// Returns whether a keyword with subschemas moves into the description unchanged.
pub(super) fn is_moved(keyword: &str, dialect: &SchemaDialect) -> bool {
    const REWRITTEN: [&str; 5] = [
        "allOf",
        "oneOf",
        "patternProperties",
        "prefixItems",
        "additionalProperties",
    ];
    !dialect.keywords.has(keyword) && !REWRITTEN.contains(&keyword)
}

fn part(object: &Object, dialect: &SchemaDialect, is_root: bool) -> Option<Inexpressible> {
    if !dialect.any_value && is_of_any_type(object) {
        return Some(Inexpressible::AnyValue);
    }
    if !dialect.maps && is_map(object) {
        return Some(Inexpressible::Map);
    }
    let has_properties = properties(object).is_some_and(|properties| !properties.is_empty());
    if !dialect.empty_objects && !is_root && types(object).contains(&"object") && !has_properties {
        return Some(Inexpressible::EmptyObject);
    }
    None
}

/// Returns the values of keywords that the provider does not accept, with their paths in the schema.
fn refused(object: &Object, dialect: &SchemaDialect) -> Vec<(String, Inexpressible)> {
    let list = |keyword: &str| object.get(keyword).and_then(Value::as_array);
    let mut refused = Vec::new();
    if !dialect.empty_strings && literals::are_listed(object, dialect) {
        let listed = list("enum").into_iter().flatten().enumerate();
        let listed = listed.map(|(index, value)| (format!("/enum/{index}"), value));
        let constant = object
            .get("const")
            .map(|value| ("/const".to_owned(), value));
        let empty = listed.chain(constant).filter(|(_, value)| *value == "");
        refused.extend(empty.map(|(path, _)| (path, Inexpressible::EmptyString)));
    }
    refused
}

/// Returns whether a schema, or the schema of its array items, allows any type. An enum of arrays or objects does not restrict
/// the types of their parts.
fn is_of_any_type(object: &Object) -> bool {
    const SAYING: [&str; 7] = ["type", "enum", "const", "$ref", "anyOf", "oneOf", "allOf"];
    let has = |keywords: &[&str]| keywords.iter().any(|keyword| object.contains_key(*keyword));
    let listed = object.get("enum").and_then(Value::as_array);
    let mut listed = listed.into_iter().flatten().chain(object.get("const"));
    let lists_parts = listed.any(|value| value.is_array() || value.is_object());
    let lacks_items = types(object).contains(&"array") && !has(&["items", "prefixItems"]);
    !has(&SAYING) || lacks_items || (lists_parts && !has(&["type"]))
}
