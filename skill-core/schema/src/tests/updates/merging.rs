use serde_json::json;

use crate::tests::*;

#[test]
fn objects_merge_and_enums_and_the_rest_are_replaced() {
    let current = Everything::default();
    let now = merged(
        &current,
        json!({
            "inner": { "count": 5 },
            "maybe": { "ratio": 0.25 },
            "shape": { "Square": 2.0 },
            "samples": [],
            "by_name": { "b": { "count": 1, "ratio": 1.0 } },
            "tagged": { "kind": "B", "b": null },
        }),
    )
    .unwrap();
    assert_eq!(
        now.inner,
        Inner {
            count: 5,
            ratio: 0.0
        }
    );
    assert_eq!(
        now.maybe,
        Some(Inner {
            count: 0,
            ratio: 0.25
        })
    );
    assert_eq!(now.shape, Shape::Square(2.0));
    assert!(now.samples.is_empty());
    assert_eq!(now.by_name.len(), 2);
    assert_eq!(now.tagged, Tagged::B { b: None });
    assert_eq!(now.name, current.name);
    assert_eq!(
        merged(&current, json!({ "maybe": null })).unwrap().maybe,
        None
    );
    assert_eq!(
        merged(&current, json!({ "shape": "Empty" })).unwrap().shape,
        Shape::Empty
    );
}

#[test]
fn an_enum_by_itself_is_replaced() {
    let circle = Shape::Circle { radius: 1.0 };
    assert_eq!(
        merged(&circle, json!({ "Square": 1.0 })),
        Ok(Shape::Square(1.0))
    );
    assert_eq!(
        merged(&Some(circle.clone()), json!({ "Square": 1.0 })),
        Ok(Some(Shape::Square(1.0)))
    );
    assert_eq!(merged(&circle, json!("Empty")), Ok(Shape::Empty));
    let problems = merged(&circle, json!({ "Sqare": 1.0 })).unwrap_err();
    assert_eq!(
        problems[0].to_string(),
        concat!(
            "at the top level: unknown variant `Sqare`, expected one of `Empty`, `Circle`, `Square`, `Pair`; ",
            "did you mean `Square`?",
        )
    );
    assert_eq!(problems.len(), 1);
}

#[test]
fn a_float_that_json_cannot_hold_stays_unless_it_is_replaced() {
    let current = Everything {
        last_result: f64::INFINITY,
        pair: (f32::NEG_INFINITY, 0),
        perhaps: Some(f64::NAN),
        maybe: Some(Inner {
            count: 1,
            ratio: f64::INFINITY,
        }),
        shape: Shape::Circle {
            radius: f64::INFINITY,
        },
        tagged: Tagged::A { a: f64::INFINITY },
        ..Everything::default()
    };
    let now = merged(&current, json!({ "precision": 3 })).unwrap();
    assert_eq!(now.last_result, f64::INFINITY);
    assert_eq!(now.pair.0, f32::NEG_INFINITY);
    assert!(now.perhaps.is_some_and(f64::is_nan));
    assert_eq!(now.maybe, current.maybe);
    assert_eq!(now.shape, current.shape);
    assert_eq!(now.tagged, current.tagged);
    let now = merged(
        &current,
        json!({ "perhaps": null, "maybe": { "ratio": 1.0 } }),
    )
    .unwrap();
    assert_eq!((now.perhaps, now.last_result), (None, f64::INFINITY));
    assert_eq!(
        now.maybe,
        Some(Inner {
            count: 1,
            ratio: 1.0
        })
    );
    let wrong = json!({ "last_result": null, "maybe": { "ratio": null }, "precision": "p" });
    let problems = merged(&current, wrong).unwrap_err();
    let expected = in_key_order(vec!["precision", "last_result", "maybe.ratio"]);
    assert_eq!(in_key_order(paths(&problems)), expected);
}

#[test]
fn a_key_that_is_written_but_not_read_is_not_a_mistake() {
    #[derive(Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    struct Halfway {
        read: u8,
        #[serde(skip_deserializing)]
        written: u8,
    }
    let all = serde_json::to_value(Halfway::default()).unwrap();
    assert_eq!(merged(&Halfway::default(), all), Ok(Halfway::default()));
    assert!(merged(&Halfway::default(), json!({ "wirtten": 1 })).is_err());
}

#[test]
fn a_recursive_type_is_merged_like_any_other() {
    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    struct Tree {
        size: u8,
        left: Option<Box<Tree>>,
        branches: Vec<Tree>,
    }
    let leaf = Tree::default();
    let tree = Tree {
        left: Some(Box::new(leaf.clone())),
        ..leaf.clone()
    };
    let now = merged(&tree, json!({ "left": { "size": 3 } })).unwrap();
    assert_eq!(now.left.unwrap().size, 3);
    let wrong = json!({ "left": { "size": 300, "x": 1 }, "branches": [{ "size": "s" }] });
    let problems = merged(&tree, wrong).unwrap_err();
    let mut found = paths(&problems);
    found.sort_unstable();
    assert_eq!(
        found,
        ["branches[0]", "branches[0].size", "left.size", "left.x"]
    );
}
