//! Finds the effects of a schema change on existing values.
//!
//! Tool arguments, configurations and states are read, so the new schema must accept every value of the old one. Answers are
//! written, so the old schema must accept every value of the new one. Each pair of schemas is compared in both directions: one
//! direction decides what is *breaking*, and the other finds what is *additive*. [`expand`] turns each schema into alternatives
//! of a single JSON type. [`compare`] compares them part by part, using `SchemaNode` and the visitor of `skill-core`. Anything
//! that cannot be compared counts as breaking.

mod annotations;
mod compare;
mod difference;
mod expand;
mod intersect;
mod keywords;
mod listed;
mod numbers;
mod objects;
mod shape;

use super::change::{ChangeClass, REWRITTEN};
use compare::Comparison;
use difference::Difference;
use serde_json::Value;
use skill_agent_schema::SchemaNode;
use std::collections::HashMap;

/// The use of a schema's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Arguments,
    Answer,
    State,
    Configuration,
}

/// A change to a schema, at a path in its values, which is empty for the entire value.
#[derive(Debug, PartialEq)]
pub(super) struct SchemaChange {
    pub(super) class: ChangeClass,
    pub(super) path: String,
    pub(super) message: String,
}

/// Returns the changes between two schemas.
pub(super) fn schema_changes(role: Role, old: &Value, new: &Value) -> Vec<SchemaChange> {
    let by_old = side(role, true, old, new);
    let by_new = side(role, false, new, old);
    let (main, other) = match role {
        Role::Answer => ((by_new, false), (by_old, true)),
        _ => ((by_old, true), (by_new, false)),
    };
    let mut by_path = HashMap::<&str, Vec<&Difference>>::new();
    for main in &main.0 {
        by_path.entry(&main.path).or_default().push(main);
    }
    let is_new = |difference: &&Difference| {
        let mut main = by_path.get(&*difference.path).into_iter().flatten();
        !main.any(|main| difference.is_reverse_of(main))
            // if the comparison failed in this direction, it says nothing about new values
            && !matches!(difference.what, difference::What::Unknown(_))
    };
    let others = other.0.iter().filter(is_new);
    let change = |class, difference: &Difference, first_is_old| SchemaChange {
        class,
        path: difference.path.clone(),
        message: difference.message(role, first_is_old),
    };
    let breaking = main
        .0
        .iter()
        .map(|found| change(ChangeClass::Breaking, found, main.1));
    let additive = others.map(|found| change(ChangeClass::Additive, found, other.1));
    let mut changes: Vec<_> = breaking.chain(additive).collect();
    annotations::compare(role, old, new, &mut changes);
    if changes.is_empty() && old != new {
        changes.push(SchemaChange {
            class: ChangeClass::Text,
            path: String::new(),
            message: REWRITTEN.to_owned(),
        });
    }
    changes
}

/// Returns the differences in which the first schema accepts more.
fn side(role: Role, first_is_old: bool, first: &Value, second: &Value) -> Vec<Difference> {
    let mut comparison = Comparison::new(role, first_is_old);
    let [first, second] = [first, second].map(|schema| vec![SchemaNode::root(schema)]);
    comparison.compare(&first, &second);
    comparison.run();
    comparison.found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn variants(count: usize) -> Value {
        let variant = |number: usize| {
            json!({
                "type": "object",
                "properties": {
                    "a": { "type": "string" },
                    "b": { "type": "integer" },
                    "c": { "type": "boolean" },
                    "kind": { "const": format!("v{number}") },
                },
                "required": ["a", "kind"],
                "additionalProperties": false,
            })
        };
        json!({ "oneOf": (0..count).map(variant).collect::<Vec<_>>() })
    }

    #[test]
    fn equal_numbers_are_one_constant() {
        for role in [Role::Arguments, Role::Answer] {
            for (old, new) in [
                (json!({ "const": 1 }), json!({ "const": 1.0 })),
                (json!({ "enum": [1, 2] }), json!({ "enum": [2.0, 1.0] })),
                (
                    json!({ "const": 1, "enum": [1] }),
                    json!({ "const": 1.0, "enum": [1] }),
                ),
                (
                    json!({ "const": 1 }),
                    json!({ "allOf": [{ "const": 1 }, { "const": 1.0 }] }),
                ),
            ] {
                let changes = schema_changes(role, &old, &new);
                let is_text = |change: &SchemaChange| change.class == ChangeClass::Text;
                assert!(changes.iter().all(is_text), "{old} {new}: {changes:?}");
            }
        }
    }

    #[test]
    fn an_enum_of_many_variants_gains_one() {
        let changes = schema_changes(Role::Arguments, &variants(120), &variants(121));
        let expected = SchemaChange {
            class: ChangeClass::Additive,
            path: String::new(),
            message: "now also `v120`".to_owned(),
        };
        assert_eq!(changes, [expected]);
    }

    #[test]
    fn a_long_chain_of_definitions_is_compared() {
        let chain = |count: usize, end: Value| {
            let mut definitions: serde_json::Map<_, _> = (0..count)
                .map(|at| {
                    let next = json!({ "$ref": format!("#/$defs/d{}", at + 1) });
                    (format!("d{at}"), next)
                })
                .collect();
            definitions.insert(format!("d{count}"), end);
            json!({ "$ref": "#/$defs/d0", "$defs": definitions })
        };
        let [old, new] = [json!({"type": "integer"}), json!({"type": "number"})];
        let changes = |count| {
            schema_changes(
                Role::Arguments,
                &chain(count, old.clone()),
                &chain(count, new.clone()),
            )
        };
        for count in [1, 40, 120] {
            let expected = SchemaChange {
                class: ChangeClass::Additive,
                path: String::new(),
                message: "was `integer`, is `number`".to_owned(),
            };
            assert_eq!(changes(count), [expected], "{count}");
        }
        let [deep] = &changes(1_000)[..] else {
            panic!("{:?}", changes(1_000));
        };
        assert_eq!(
            deep.message,
            "cannot be compared: its references are nested too deeply"
        );
        let cyclic = chain(2, json!({ "$ref": "#/$defs/d0" }));
        let [cycle] = &schema_changes(Role::Arguments, &cyclic, &chain(2, new.clone()))[..] else {
            panic!("one change");
        };
        assert_eq!(
            cycle.message,
            "cannot be compared: its references lead to themselves"
        );
    }

    #[test]
    fn branches_that_share_a_value_still_overlap() {
        let twice = json!({ "oneOf": [{ "const": "a" }, { "enum": ["b", "a"] }] });
        let [change] = &schema_changes(Role::Arguments, &json!({ "const": "a" }), &twice)[..]
        else {
            panic!("one change");
        };
        assert_eq!(
            change.message,
            "cannot be compared: branches of its `oneOf` may overlap"
        );
        let once = json!({ "oneOf": [{ "const": "a" }, { "enum": ["b", 1, 1.5] }, { "type": "integer", "const": 2 }] });
        assert!(schema_changes(Role::Arguments, &once, &once).is_empty());
        let overlapping =
            json!({ "oneOf": [{ "enum": [1, 1.5] }, { "type": "integer", "const": 1 }] });
        let [change] = &schema_changes(Role::Arguments, &json!({ "const": 1 }), &overlapping)[..]
        else {
            panic!("one change");
        };
        assert_eq!(
            change.message,
            "cannot be compared: branches of its `oneOf` may overlap"
        );
    }
}
