//! Finds invalid parts of schemas, for which a provider would reject the whole request.

use skill_agent_schema::{Descend, SchemaPath, visit_schema};
use skill_core::serde_json::{Number, Value};

use super::super::error::{Inexpressible, SchemaProblem};

const TYPES: [&str; 7] = [
    "array", "boolean", "integer", "null", "number", "object", "string",
];

/// Returns all parts that are not schemas, and all keywords whose values have the wrong form.
pub(super) fn malformed(schema: &Value) -> Vec<SchemaProblem> {
    let mut problems = Vec::new();
    visit_schema(schema, &mut |path, node| match node.value() {
        Value::Object(keywords) => {
            for (keyword, value) in keywords {
                problems.extend(problem(path, keyword, value));
            }
            Descend::Into
        }
        Value::Bool(_) => Descend::Past,
        _ => {
            let (path, part) = (path.to_string(), Inexpressible::NoSchema);
            problems.push(SchemaProblem { path, part });
            Descend::Past
        }
    });
    problems
}

fn problem(path: &SchemaPath<'_>, keyword: &str, value: &Value) -> Option<SchemaProblem> {
    let expected = expected(keyword, value)?;
    let part = Inexpressible::Keyword {
        keyword: keyword.to_owned(),
        expected,
    };
    let path = path.to_string();
    Some(SchemaProblem { path, part })
}

/// Returns the expected form of a keyword's value, or `None` if the value already has that form.
fn expected(keyword: &str, value: &Value) -> Option<&'static str> {
    let are = |of: fn(&Value) -> bool| value.as_array().is_some_and(|list| list.iter().all(of));
    let (is_right, expected) = match keyword {
        "type" => (
            is_type(value) || (are(is_type) && are_several(value)),
            "`array`, `boolean`, `integer`, `null`, `number`, `object`, `string` or a list of these",
        ),
        "$defs" | "dependentSchemas" | "patternProperties" | "properties" => {
            (value.is_object(), "an object of schemas by name")
        }
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => {
            (are_several(value), "a list of schemas, at least one")
        }
        "enum" => (are_several(value), "a list of values, at least one"),
        "required" => (are(Value::is_string), "a list of names"),
        "$anchor" | "$id" | "$ref" | "$schema" | "description" | "format" | "pattern" | "title" => {
            (value.is_string(), "a string")
        }
        "exclusiveMaximum" | "exclusiveMinimum" | "maximum" | "minimum" => {
            (value.is_number(), "a number")
        }
        "multipleOf" => {
            let is_positive = |number: &Number| number.as_f64().is_some_and(|float| float > 0.0);
            let is_right = value.as_number().is_some_and(is_positive);
            (is_right, "a number above 0")
        }
        "maxContains" | "maxItems" | "maxLength" | "maxProperties" | "minContains" | "minItems"
        | "minLength" | "minProperties" => {
            let is_whole = |float: f64| float >= 0.0 && float.fract() == 0.0;
            (
                value.as_f64().is_some_and(is_whole),
                "a whole number, 0 or more",
            )
        }
        "deprecated" | "readOnly" | "uniqueItems" | "writeOnly" => {
            (value.is_boolean(), "`true` or `false`")
        }
        _ => return None,
    };
    (!is_right).then_some(expected)
}

fn is_type(value: &Value) -> bool {
    value.as_str().is_some_and(|name| TYPES.contains(&name))
}

fn are_several(value: &Value) -> bool {
    value.as_array().is_some_and(|list| !list.is_empty())
}
