//! The state and schema of an agent that mounts skills.

use crate::common::mounted_fixtures::Counter;
use crate::common::mounting_agent::*;
use serde_json::{Value, json};
use skill_agent::prelude::*;

#[test]
fn the_state_contains_what_is_mounted() {
    let text = r#"{"skills":{"search":{"queries":["a"]},"auth":{},"counter":{"count":3}}}"#;
    let house = MountingAgent::from_state_json(text).unwrap();
    assert_eq!(
        house.mounted().names().collect::<Vec<_>>(),
        ["auth", "search", "counter"]
    );
    let whole = house.state_value().unwrap();
    assert_eq!(
        whole.to_string(),
        r#"{"open":true,"manager":{"asked":0},"skills":{"auth":{"user":null},"search":{"queries":["a"]},"counter":{"count":3,"step":1}}}"#
    );
    assert_eq!(whole, state(&house));
    assert_eq!(
        MountingAgent::from_state_json(&whole.to_string()).unwrap(),
        house
    );

    let mut house = house;
    house
        .set(&json!({ "skills": { "counter": { "step": 9 } } }))
        .unwrap();
    assert_eq!(house.mounted().state::<Counter>().unwrap().step, 9);
    assert_eq!(house.mounted().len(), 3);
}

#[test]
fn a_wrong_state_reports_every_path_and_changes_nothing() {
    let mut house = MountingAgent::new();
    house.mounted_mut().mount::<Counter>(&json!({})).unwrap();
    let before = house.clone();
    let wrong = json!({
        "manager": { "asked": -1 },
        "skills": { "counter": { "count": "five" }, "search": {}, "cuonter": {} },
        "skill": {},
    });
    let problems = house.set(&wrong).unwrap_err();
    let paths: Vec<_> = problems
        .problems()
        .iter()
        .map(|problem| &*problem.path)
        .collect();
    assert_eq!(
        paths,
        [
            "manager.asked",
            "skills.cuonter",
            "skills.search",
            "skills.counter.count",
            "skill"
        ]
    );
    assert_eq!(
        problems.problems()[4].help.as_deref(),
        Some("did you mean `skills`?")
    );
    assert_eq!(house, before);
    assert!(MountingAgent::validate(&wrong).is_err());
    assert!(MountingAgent::validate(&json!({ "skills": { "auth": {} } })).is_ok());
    assert!(MountingAgent::validate(&json!({ "skills": [] })).is_err());
}

#[test]
fn the_schema_accepts_mountable_skills_and_refuses_the_rest() {
    let schema = Value::from(MountingAgent::schema().clone());
    let validator = jsonschema::validator_for(&schema).unwrap();
    for (document, fits) in [
        (json!({}), true),
        (json!({ "skills": {} }), true),
        (
            json!({ "skills": { "counter": { "count": 1 }, "auth": { "user": "ann" } } }),
            true,
        ),
        (
            json!({ "skills": { "counter": { "count": "one" } } }),
            false,
        ),
        (json!({ "skills": { "counter": { "cuont": 1 } } }), false),
        (json!({ "skills": { "tower": {} } }), false),
        (json!({ "skills": [] }), false),
    ] {
        assert_eq!(validator.is_valid(&document), fits, "{document}");
        assert_eq!(
            MountingAgent::validate(&document).is_ok(),
            fits || document["skills"]["auth"].is_object(),
            "{document}"
        );
    }
    let mounted = MountingAgent::describe()["mounted"].clone();
    let names: Vec<_> = mounted
        .as_array()
        .unwrap()
        .iter()
        .map(|tool| tool["name"].clone())
        .collect();
    assert_eq!(names, ["counter", "search", "auth"]);
    assert_eq!(PlainAgent::describe()["mounted"], json!([]));
}
