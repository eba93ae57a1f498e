use serde_json::json;

use crate::SchemaNode;
use crate::check::constraints::violations;
use crate::tests::*;

/// Returns the problems of a value with secrets at `token` and `pins`.
fn problems(schema: &Value, value: &Value) -> Vec<String> {
    let found = violations(value, SchemaNode::root(schema), 100).found;
    let problems = found
        .iter()
        .map(|found| found.problem("", &["token", "pins"]));
    problems.map(|problem| problem.to_string()).collect()
}

fn at_top(message: &str) -> Vec<String> {
    vec![format!("at the top level: {message}")]
}

#[test]
fn each_constraint_is_checked_and_its_message_says_what_is_expected() {
    let cases = [
        (
            json!({ "minimum": 1, "maximum": 5 }),
            json!(1),
            json!(6),
            "6 is out of range, expected 1..=5",
        ),
        (
            json!({ "maximum": 5 }),
            json!(-7),
            json!(5.5),
            "5.5 is out of range, expected ..=5",
        ),
        (
            json!({ "minimum": 0.5 }),
            json!(0.5),
            json!(0),
            "0 is out of range, expected 0.5..",
        ),
        (
            json!({ "exclusiveMaximum": 5 }),
            json!(4),
            json!(5),
            "5 is out of range, expected ..5",
        ),
        (
            json!({ "exclusiveMinimum": 5 }),
            json!(6),
            json!(5),
            "5 is out of range, expected more than 5",
        ),
        (
            json!({ "multipleOf": 5 }),
            json!(15),
            json!(7),
            "7 is not a multiple of 5",
        ),
        (
            json!({ "minLength": 2 }),
            json!("éé"),
            json!("é"),
            "the length 1 is out of range, expected 2..",
        ),
        (
            json!({ "maxLength": 2 }),
            json!("éé"),
            json!("ééé"),
            "the length 3 is out of range, expected ..=2",
        ),
        (
            json!({ "pattern": "^a" }),
            json!("ab"),
            json!("ba"),
            "\"ba\" does not match the pattern `^a`",
        ),
        (
            json!({ "minItems": 1, "maxItems": 2 }),
            json!([0]),
            json!([]),
            "the length 0 is out of range, expected 1..=2",
        ),
        (
            json!({ "maxProperties": 0 }),
            json!({}),
            json!({ "a": 1 }),
            "the length 1 is out of range, expected ..=0",
        ),
    ];
    for (schema, good, bad, message) in cases {
        assert_eq!(problems(&schema, &good), Vec::<String>::new(), "{schema}");
        assert_eq!(problems(&schema, &bad), at_top(message), "{schema}");
    }
    // A constraint for a different type, or a pattern that the regex engine does not support, allows everything.
    let other = json!({ "minimum": 3, "maxLength": 1, "pattern": "(?=x)" });
    assert!(problems(&other, &json!("y")).is_empty());
    assert!(problems(&other, &json!([1, 2])).is_empty());
}

#[test]
fn constraints_are_checked_in_every_part_of_a_value() {
    let small = json!({ "maximum": 5 });
    let schema = json!({
        "properties": { "a": small },
        "additionalProperties": { "$ref": "#/$defs/small" },
        "$defs": { "small": { "$ref": "#/$defs/again" }, "again": small },
    });
    let value = json!({ "a": 6, "b.c": 7, "d": 5 });
    assert_eq!(
        problems(&schema, &value),
        [
            "`a`: 6 is out of range, expected ..=5",
            "`[\"b.c\"]`: 7 is out of range, expected ..=5",
        ]
    );
    let schema = json!({ "prefixItems": [small], "items": { "allOf": [small, { "minimum": 1 }] } });
    assert_eq!(
        problems(&schema, &json!([6, 0, 6, 3])),
        [
            "`[0]`: 6 is out of range, expected ..=5",
            "`[1]`: 0 is out of range, expected 1..",
            "`[2]`: 6 is out of range, expected ..=5",
        ]
    );
    let schema = json!({ "patternProperties": { "^\\d+$": small } });
    assert_eq!(
        problems(&schema, &json!({ "7": 9 })),
        ["`7`: 9 is out of range, expected ..=5"]
    );
}

#[test]
fn a_key_has_the_schema_of_the_pattern_that_it_matches() {
    let schema = json!({
        "properties": { "a7": { "maximum": 1 } },
        "patternProperties": { "^a": { "maximum": 5 }, "^b": { "maximum": 50 } },
        "additionalProperties": { "maximum": 500 },
    });
    let value = json!({ "a1": 9, "a7": 5, "b": 9, "c": 99 });
    assert_eq!(
        problems(&schema, &value),
        [
            "`a1`: 9 is out of range, expected ..=5",
            "`a7`: 5 is out of range, expected ..=1",
        ]
    );
    assert_eq!(
        problems(&schema, &json!({ "b": 51, "c": 501 })),
        [
            "`b`: 51 is out of range, expected ..=50",
            "`c`: 501 is out of range, expected ..=500",
        ]
    );
    // all matching patterns apply
    let schema = json!({
        "properties": { "ab": {} },
        "patternProperties": { "^a": { "maximum": 50 }, "b$": { "maximum": 5 }, "(?!": { "maximum": 0 } },
        "additionalProperties": { "maximum": 0 },
    });
    assert_eq!(
        problems(&schema, &json!({ "a": 9, "a1b": 9, "ab": 9, "c": 9 })),
        [
            "`a1b`: 9 is out of range, expected ..=5",
            "`ab`: 9 is out of range, expected ..=5",
        ]
    );
    // enum values are compared as numbers, so `7.0` selects the first alternative
    let schema = json!({ "oneOf": [{ "enum": [7], "maximum": 5 }, { "type": "string" }] });
    assert_eq!(
        problems(&schema, &json!(7.0)),
        at_top("7.0 is out of range, expected ..=5")
    );
}

#[test]
fn a_small_value_may_have_many_alternatives() {
    let mut alternatives = vec![json!({ "type": "integer", "minimum": 5 }); 200];
    alternatives.push(json!({ "type": "integer" }));
    assert_eq!(
        problems(&json!({ "anyOf": alternatives }), &json!(1)),
        [] as [&str; 0]
    );
}

#[test]
fn the_alternative_of_a_choice_is_the_one_whose_structure_the_value_has() {
    let schema = json!({ "oneOf": [
        { "type": "null" },
        {
            "properties": { "kind": { "const": "a" }, "n": { "maximum": 5 } },
            "required": ["kind", "n"],
        },
        {
            "properties": { "kind": { "const": "b" }, "n": { "maximum": 50 } },
            "required": ["kind", "n"],
        },
        {
            "properties": { "other": { "maxLength": 1 } },
            "required": ["other"],
            "additionalProperties": false,
        },
    ]});
    for good in [
        json!(null),
        json!({ "kind": "b", "n": 6 }),
        json!({ "other": "x" }),
        json!("a value of no alternative"),
    ] {
        assert_eq!(problems(&schema, &good), Vec::<String>::new(), "{good}");
    }
    assert_eq!(
        problems(&schema, &json!({ "kind": "a", "n": 6 })),
        ["`n`: 6 is out of range, expected ..=5"]
    );
    assert_eq!(
        problems(&schema, &json!({ "other": "xy" })),
        ["`other`: the length 2 is out of range, expected ..=1"]
    );
    let overlapping = json!({ "anyOf": [{ "maximum": 5 }, { "minimum": 10 }] });
    assert!(problems(&overlapping, &json!(11)).is_empty());
    assert_eq!(
        problems(&overlapping, &json!(7)),
        at_top("7 is out of range, expected ..=5")
    );
}

#[test]
fn nested_choices_do_not_multiply_the_work() {
    let mut definitions = Map::new();
    let mut value = json!(0);
    definitions.insert("0".to_owned(), json!({ "maximum": -1 }));
    for level in 1..=60 {
        let items = json!({ "items": { "$ref": format!("#/$defs/{}", level - 1) } });
        definitions.insert(level.to_string(), json!({ "anyOf": [items, items] }));
        value = json!([value]);
    }
    let schema = json!({ "$ref": "#/$defs/60", "$defs": definitions });
    let found = problems(&schema, &value);
    assert_eq!(found.len(), 1);
}

#[test]
fn a_schema_that_refers_to_itself_ends() {
    let endless = json!({ "$ref": "#" });
    assert!(problems(&endless, &json!([1])).is_empty());
}

#[test]
fn a_secret_is_not_quoted() {
    let schema = json!({ "properties": {
        "token": { "minLength": 8, "pattern": "^k-" },
        "pins": { "items": { "maximum": 9999 } },
    }});
    let value = json!({ "token": "hunter2", "pins": [12345] });
    let mut found = problems(&schema, &value);
    found.sort();
    assert_eq!(
        found,
        [
            "`pins`: <secret> is out of range, expected ..=9999",
            "`token`: <secret> does not match the pattern `^k-`",
            "`token`: the length of <secret> is out of range, expected 8..",
        ]
    );
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
struct Limited {
    #[serde(alias = "pct")]
    #[schemars(range(max = 50))]
    percent: u32,
    #[schemars(length(max = 2))]
    names: Vec<String>,
    #[schemars(range(max = 0.1))]
    ratio: f32,
    limited: Option<Box<Limited>>,
    payment: Payment,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
enum Payment {
    #[default]
    Cash,
    #[serde(alias = "Cheque")]
    Check {
        #[schemars(range(max = 100))]
        amount: u32,
    },
}

fn updated(current: &Limited, kind: Update, document: &Value) -> Result<Limited, Vec<String>> {
    let mut problems = Vec::new();
    let read = update(
        current,
        document,
        kind,
        "shop",
        Layout::default(),
        &mut problems,
    );
    read.ok_or_else(|| problems.iter().map(Problem::to_string).collect())
}

#[test]
fn an_update_is_refused_for_the_constraints_that_it_violates() {
    let current = Limited::default();
    for kind in [Update::Merge, Update::Patch, Update::Replace] {
        let document = json!({ "percent": 99, "limited": { "names": ["a", "b", "c"] } });
        let mut problems = updated(&current, kind, &document).unwrap_err();
        problems.sort();
        assert_eq!(
            problems,
            [
                "`shop.limited.names`: the length 3 is out of range, expected ..=2",
                "`shop.percent`: 99 is out of range, expected 0..=50",
            ],
            "{kind:?}"
        );
        let good = json!({ "percent": 50, "ratio": 0.1 });
        assert_eq!(updated(&current, kind, &good).unwrap().ratio, 0.1);
        // An alias has the constraints of its field.
        assert_eq!(
            updated(&current, kind, &json!({ "pct": 51 })).unwrap_err(),
            ["`shop.percent`: 51 is out of range, expected 0..=50"]
        );
        let check = json!({ "payment": { "Cheque": { "amount": 101 } } });
        assert_eq!(
            updated(&current, kind, &check).unwrap_err(),
            ["`shop.payment.Check.amount`: 101 is out of range, expected 0..=100"]
        );
    }
}

#[test]
fn an_update_is_not_refused_for_what_was_there_before() {
    let current = Limited {
        percent: 99,
        ratio: 0.1,
        ..Limited::default()
    };
    for kind in [Update::Merge, Update::Patch, Update::Replace] {
        let read = updated(&current, kind, &json!({ "names": ["a"] })).unwrap();
        assert_eq!(read.percent, 99, "{kind:?}");
        let again = serde_json::to_value(&current).unwrap();
        assert_eq!(updated(&current, kind, &again).unwrap(), current);
        assert!(updated(&current, kind, &json!({ "percent": 98 })).is_err());
    }
}
