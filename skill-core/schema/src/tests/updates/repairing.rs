use serde_json::json;

use crate::tests::*;

#[test]
fn every_problem_is_reported_with_its_path_and_nothing_else() {
    let mut problems = vec![Problem::new("mode", "from before")];
    let patch = json!({
        "precision": "two",
        "inner": { "ratio": [], "coutn": 1 },
        "samples": [1.0, "x"],
        "name": "fine",
    });
    assert!(
        update(
            &Everything::default(),
            &patch,
            Update::Patch,
            "calculator",
            Layout::default(),
            &mut problems
        )
        .is_none()
    );
    problems.sort_by(|a, b| a.path.cmp(&b.path));
    assert_eq!(
        paths(&problems),
        [
            "calculator.inner.coutn",
            "calculator.inner.ratio",
            "calculator.precision",
            "calculator.samples[1]",
            "mode",
        ]
    );
    assert_eq!(
        problems[0].message,
        "unknown field `coutn`, expected `count` or `ratio`"
    );
    assert_eq!(problems[0].help.as_deref(), Some("did you mean `count`?"));
    assert_eq!(
        problems[2].message,
        "invalid type: string \"two\", expected a non-negative integer"
    );
}

#[test]
fn all_problems_in_a_replaced_value_are_reported() {
    let patch = json!({
        "samples": ["a", 1.0, "b", null],
        "pair": ["x", "y"],
        "inners": [{ "count": "c" }, { "count": 1, "ratio": 2, "more": 3 }, 7],
        "shape": { "Circle": {} },
        "shapes": [{ "Circle": { "radius": "r" } }, "Triangle", { "Square": false }],
        "by_number": { "x": 1, "8": "eight" },
        "short": "much too long",
        "tagged": { "kind": "C" },
    });
    let problems = merged(&Everything::default(), patch).unwrap_err();
    let mut found = paths(&problems);
    found.sort_unstable();
    assert_eq!(
        found,
        [
            "by_number.8",
            "by_number.x",
            "inners[0]", // `ratio` is missing
            "inners[0].count",
            "inners[1].more",
            "inners[2]",
            "pair[0]",
            "pair[1]",
            "samples[0]",
            "samples[2]",
            "samples[3]",
            "shape.Circle", // `radius` is missing
            "shapes[0].Circle.radius",
            "shapes[1]",
            "shapes[2].Square",
            "short",
            "tagged.kind",
        ]
    );
}

#[test]
fn all_missing_fields_are_reported() {
    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    #[serde(deny_unknown_fields)]
    struct SchemaNode {
        x: f64,
        y: f64,
        name: Short,
    }
    #[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
    struct Holder {
        place: Option<SchemaNode>,
    }
    let problems = merged(&Holder { place: None }, json!({ "place": { "z": 1 } })).unwrap_err();
    let texts: Vec<String> = problems.iter().map(Problem::to_string).collect();
    assert_eq!(
        texts,
        [
            "`place.z`: unknown field `z`, expected one of `x`, `y`, `name`",
            "`place`: missing field `x`",
            "`place`: missing field `y`",
            "`place`: missing field `name`",
        ]
    );
}

#[test]
fn a_document_of_another_kind_is_one_problem() {
    for patch in [json!(null), json!([1]), json!("x"), json!(1)] {
        assert_eq!(paths(&merged(&Inner::default(), patch).unwrap_err()), [""]);
    }
}

#[test]
fn a_patch_that_is_too_deep_or_too_wrong_gets_an_answer() {
    for as_objects in [false, true] {
        let deep = nested(100_000, as_objects);
        let mut problems = Vec::new();
        assert!(
            update(
                &Everything::default(),
                &deep,
                Update::Patch,
                "a",
                Layout::default(),
                &mut problems
            )
            .is_none()
        );
        assert_eq!(
            problems[0].to_string(),
            "`a`: the JSON is nested 128 levels deep or deeper"
        );
        dismantle(deep);
    }
    let wrong = json!({ "samples": vec!["x"; 100_000] });
    let problems = merged(&Everything::default(), wrong).unwrap_err();
    assert!(
        problems.len() > 50 && problems.len() < 210,
        "{}",
        problems.len()
    );
    let unknown: Map<String, Value> = (0..100_000).map(|i| (format!("k{i}"), json!(1))).collect();
    let problems = merged(&Everything::default(), Value::Object(unknown)).unwrap_err();
    assert!(
        problems.len() > 50 && problems.len() < 210,
        "{}",
        problems.len()
    );
}

#[test]
fn a_type_that_checks_its_fields_is_not_blamed_for_repaired_ones() {
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    struct Ends {
        low: f64,
        high: f64,
    }
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(try_from = "Ends", into = "Ends")]
    #[schemars(with = "Ends")]
    struct Range(Ends);
    impl From<Range> for Ends {
        fn from(range: Range) -> Self {
            range.0
        }
    }
    impl TryFrom<Ends> for Range {
        type Error = String;
        fn try_from(ends: Ends) -> Result<Self, String> {
            if ends.low <= ends.high {
                Ok(Self(ends))
            } else {
                Err(format!("{} is above {}", ends.low, ends.high))
            }
        }
    }
    let range = Range(Ends {
        low: 5.0,
        high: 6.0,
    });
    let problems = merged(&range, json!({ "low": "five", "high": 1.0 })).unwrap_err();
    assert_eq!(paths(&problems), ["low"]);
    let problems = merged(&range, json!({ "high": 1.0, "hihg": 7 })).unwrap_err();
    assert_eq!(paths(&problems), ["hihg", ""]);
    assert_eq!(problems[1].message, "5 is above 1");
    let problems = merged(&range, json!({ "high": 1.0 })).unwrap_err();
    assert_eq!(problems[0].message, "5 is above 1");
    assert_eq!(merged(&range, json!({ "high": 7.0 })).unwrap().0.high, 7.0);
}
