//! Normalizes what schemas can express in several ways: booleans, keywords of older drafts, and implied types.

use skill_agent_schema::{Branch, Descend, visit_schema_mut};
use skill_core::serde_json::{Value, json};

use super::{Object, take, types};
use crate::projection::keywords::literals::{kinds_about, meant_type};
use crate::projection::keywords::nulls;

/// Converts keywords of older drafts and of OpenAPI 3.0, which many libraries still use, to draft 2020-12.
pub(super) fn without_old_words(schema: &mut Value) {
    visit_schema_mut(schema, &mut |_, schema| {
        if let Some(object) = schema.as_object_mut() {
            if let Some(Value::Object(definitions)) =
                take_if(object, "definitions", Value::is_object)
            {
                let named = object.entry("$defs").or_insert_with(|| json!({}));
                if let Some(named) = named.as_object_mut() {
                    for (name, definition) in definitions {
                        named.entry(name).or_insert(definition);
                    }
                }
            }
            if let Some(places) = take_if(object, "items", Value::is_array) {
                let rest = take(object, "additionalItems");
                // an empty list of schemas restricts nothing
                if places != json!([]) {
                    object.insert("prefixItems".to_owned(), places);
                }
                if let Some(rest) = rest {
                    object.insert("items".to_owned(), rest);
                }
            }
            for (exclusive, inclusive) in [
                ("exclusiveMinimum", "minimum"),
                ("exclusiveMaximum", "maximum"),
            ] {
                if take_if(object, exclusive, Value::is_boolean) == Some(json!(true))
                    && let Some(bound) = take(object, inclusive)
                {
                    object.insert(exclusive.to_owned(), bound);
                }
            }
            if take_if(object, "nullable", Value::is_boolean) == Some(json!(true)) {
                nulls::add(schema);
            }
        }
        Descend::Into
    });
}

/// Removes a keyword if its value has the expected form.
fn take_if(object: &mut Object, keyword: &str, has_form: fn(&Value) -> bool) -> Option<Value> {
    object.get(keyword).filter(|value| has_form(value))?;
    take(object, keyword)
}

/// Replaces `true` with `{}` and `false` with `{"not": {}}`, because many readers reject booleans outside `additionalProperties`.
pub(super) fn without_booleans(schema: &mut Value) {
    visit_schema_mut(schema, &mut |path, schema| {
        let may_be_boolean = path.branch() == Some(Branch::Only("additionalProperties"));
        if let (Value::Bool(allows), false) = (&*schema, may_be_boolean) {
            *schema = if *allows {
                json!({})
            } else {
                json!({ "not": {} })
            };
        }
        Descend::Into
    });
}

/// Adds the type to each schema that implies one.
pub(super) fn name_types(schema: &mut Value) {
    visit_schema_mut(schema, &mut |path, schema| {
        // here, a type would match fewer values, so the whole schema would allow more
        if matches!(path.branch(), Some(Branch::Only("not" | "if"))) {
            return Descend::Past;
        }
        if let Some(object) = schema.as_object_mut() {
            if let Some(kind) = meant_type(object) {
                object.insert("type".to_owned(), json!(kind));
            }
            without_other_types(object);
        }
        Descend::Into
    });
}

/// Removes keywords for types that the schema does not name, such as `properties` on a string. They restrict nothing, and Gemini
/// rejects them.
fn without_other_types(object: &mut Object) {
    let kinds: Vec<String> = types(object).into_iter().map(str::to_owned).collect();
    if !kinds.is_empty() {
        let names = |about: &[&str]| kinds.iter().any(|kind| about.contains(&kind.as_str()));
        object.retain(|keyword, _| kinds_about(keyword).is_none_or(names));
    }
}
