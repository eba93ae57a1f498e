//! One schema, without its parts, in the dialect of a provider.

use skill_core::serde_json::{Value, json};

use super::references::definition;
use super::{Object, SchemaDialect, literals, merge, notes, nulls, objects, overlay, take};

/// The most references in a row that are followed. They can form a cycle.
const MOST_HOPS: u8 = 16;

/// Rewrites a schema that [`check`](super::check) has found to be expressible. Its parts are rewritten afterwards.
pub(super) fn rewrite(object: &mut Object, dialect: &SchemaDialect, document: &Value) {
    if let Some(merged) = merge::all_of(object, dialect) {
        *object = merged.into_owned();
    }
    if !dialect.reference_siblings {
        without_siblings(object, document);
    }
    if dialect.has_nullable() && nulls::has_null(object) {
        nulls::remove(object);
        object.insert("nullable".to_owned(), json!(true));
    }
    if merge::is_mixed(object, dialect)
        && let Some(choice) = merge::distributed(object)
    {
        *object = choice;
    }
    if !dialect.keywords.has("oneOf") && !object.contains_key("anyOf") {
        rename(object, "oneOf", "anyOf");
    }
    literals::rewrite(object, dialect);
    literals::split_types(object, dialect);
    objects::items(object, dialect);
    objects::key_patterns(object, dialect);
    objects::close(object, dialect);
    notes::move_unsupported(object, dialect);
    merge::describe_alternatives(object, dialect);
}

/// Writes the definition in the place of a reference that has other keywords beside it.
fn without_siblings(object: &mut Object, document: &Value) {
    for _ in 0..MOST_HOPS {
        let target = object.get("$ref").and_then(Value::as_str);
        let definition = target.and_then(|target| definition(document, target));
        let Some(definition) = definition.and_then(Value::as_object) else {
            return;
        };
        if object.keys().all(|keyword| keyword.starts_with('$')) {
            return;
        }
        take(object, "$ref");
        overlay(object, definition);
    }
}

/// Renames a keyword, which stays in its place.
fn rename(object: &mut Object, from: &str, to: &str) {
    let keywords = std::mem::take(object).into_iter();
    *object = keywords
        .map(|(keyword, value)| {
            let keyword = if keyword == from {
                to.to_owned()
            } else {
                keyword
            };
            (keyword, value)
        })
        .collect();
}
