//! Schemas with one change, and the verdicts on them against an independent validator.

use crate::common::schema_validator::SchemaValidator;
use crate::pairs::{Pair, Place};
use crate::values::{Near, schema_pairs, sides};
use serde_json::{Value, json};
use skill_agent::contract::ChangeClass;

/// How many values are drawn for each schema that is not breaking.
const VALUES: usize = 8;

/// Keywords that are added, each where a schema does not have it.
fn added() -> Vec<(&'static str, Value)> {
    vec![
        ("additionalProperties", json!(false)),
        ("additionalProperties", json!({ "type": "string" })),
        ("unevaluatedProperties", json!(false)),
        ("unevaluatedItems", json!(false)),
        (
            "patternProperties",
            json!({ "^[a-m]": { "type": "integer" } }),
        ),
        ("required", json!(["a"])),
        ("items", json!({ "type": "string" })),
        ("uniqueItems", json!(true)),
        ("minLength", json!(2)),
        ("maxLength", json!(1)),
        ("minimum", json!(3)),
        ("exclusiveMaximum", json!(3)),
        ("multipleOf", json!(2)),
        ("maxItems", json!(1)),
        ("minItems", json!(1)),
        ("maxProperties", json!(1)),
        ("type", json!("object")),
        ("enum", json!(["a", 1, null])),
        ("not", json!({ "type": "string" })),
    ]
}

/// Whether a keyword may be removed. A property without its schema may still be written; the guide has this exception.
fn is_removable(keyword: &str) -> bool {
    !matches!(keyword, "properties" | "$defs" | "$ref" | "default")
}

/// A schema with a keyword added, removed or narrowed, in each way and at each place.
fn mutations(schema: &Value) -> Vec<Value> {
    let mut places = Vec::new();
    objects(schema, String::new(), &mut places);
    let mut found = Vec::new();
    for place in places {
        let part = schema.pointer(&place).and_then(Value::as_object);
        let part = part.expect("it is an object");
        let mut change = |keyword: &str, value: Option<Value>| {
            let mut changed = schema.clone();
            let part = changed.pointer_mut(&place).and_then(Value::as_object_mut);
            let part = part.expect("it is an object");
            match value {
                Some(value) => drop(part.insert(keyword.to_owned(), value)),
                None => drop(part.shift_remove(keyword)),
            }
            found.push(changed);
        };
        for (keyword, value) in added() {
            if !part.contains_key(keyword) {
                change(keyword, Some(value));
            }
        }
        for (keyword, value) in part {
            if is_removable(keyword) {
                change(keyword, None);
            }
            narrowed(value)
                .into_iter()
                .for_each(|value| change(keyword, Some(value)));
        }
    }
    found
}

/// Other values of a keyword: numbers next to its own, and lists without an item.
fn narrowed(value: &Value) -> Vec<Value> {
    match value {
        Value::Number(number) => match number.as_u64() {
            Some(number) => vec![json!(number + 1), json!(number.saturating_sub(1).max(1))],
            None => Vec::new(),
        },
        Value::Array(items) if items.len() > 1 => {
            let without = |index: usize| {
                let mut items = items.clone();
                items.remove(index);
                Value::Array(items)
            };
            (0..items.len()).map(without).collect()
        }
        _ => Vec::new(),
    }
}

/// The places of all subschemas that are objects.
fn objects(schema: &Value, place: String, found: &mut Vec<String>) {
    let Value::Object(keywords) = schema else {
        return;
    };
    for (keyword, value) in keywords {
        let below = format!("{place}/{keyword}");
        match (keyword.as_str(), value) {
            ("properties" | "patternProperties" | "$defs", Value::Object(named)) => {
                for (name, schema) in named {
                    let name = name.replace('~', "~0").replace('/', "~1");
                    objects(schema, format!("{below}/{name}"), found);
                }
            }
            ("oneOf" | "anyOf" | "allOf" | "prefixItems", Value::Array(list)) => {
                for (index, schema) in list.iter().enumerate() {
                    objects(schema, format!("{below}/{index}"), found);
                }
            }
            ("items" | "additionalProperties", schema) => objects(schema, below, found),
            _ => {}
        }
    }
    found.push(place);
}

#[test]
fn values_that_fit_before_fit_after_a_mutation_that_is_not_breaking() {
    let (mut count, mut values) = (0, 0);
    let pairs = schema_pairs().filter(|pair| matches!(pair.place, Place::Argument | Place::Answer));
    for mut pair in pairs {
        let written = pair.schemas[0].clone();
        for mutation in mutations(&written) {
            // what is wider in one order is narrower in the other
            for schemas in [[&written, &mutation], [&mutation, &written]] {
                if jsonschema::draft202012::meta::validate(&mutation).is_err() {
                    continue;
                }
                pair.set_schemas(schemas.map(Clone::clone));
                if !is_breaking(&pair) {
                    values += check(&pair, [&written, &mutation]);
                    count += 1;
                }
            }
        }
    }
    assert!(count >= 1_000, "{count} pairs");
    assert!(values >= 10_000, "{values} values");
}

fn is_breaking(pair: &Pair) -> bool {
    let changes = pair.old.changes_to(&pair.new);
    let mut classes = changes.list.iter().map(|change| change.class);
    classes.any(|class| class == ChangeClass::Breaking)
}

/// Draws values near to schemas of a pair that is not breaking; returns how many fit. The first has values.
fn check(pair: &Pair, [written, mutation]: [&Value; 2]) -> usize {
    let [first, second] = sides(pair);
    let [from, to] = [first, second].map(SchemaValidator::with_integer_limits);
    let mut near = Near::new(written, mutation);
    let mut count = 0;
    for _ in 0..VALUES {
        let mut values = near.values().to_vec();
        let mut more = values[0].clone();
        near.add_entry(&mut more);
        values.push(more);
        for value in values.iter().filter(|value| from.accepts(value)) {
            assert!(
                to.accepts(value),
                "{}: {first} and {second}: {value} is {}",
                pair.name,
                to.explain(value)
            );
            count += 1;
        }
    }
    count
}
