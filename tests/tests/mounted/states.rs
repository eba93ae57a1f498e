//! The states of mounted skills: restoring, setting and comparing them.

use crate::common::mounted_fixtures::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::core::Registry;
use skill_agent::prelude::*;

fn nothing() -> Value {
    json!({})
}

#[test]
fn restoring_a_state_reports_every_problem_with_its_path() {
    let restored = Mounted::restore::<(Counter, Search, Auth)>(&json!({
        "counter": { "count": "five", "setp": 1 },
        "search": [],
        "sreach": {},
    }));
    assert_eq!(
        restored.unwrap_err().to_string(),
        "5 problems\n  \
         `sreach`: unknown field `sreach`, expected one of `counter`, `search`, `auth`; did you mean `search`?\n  \
         `search`: `search` requires `auth`, which is not mounted; mount `auth` first\n  \
         `counter.count`: invalid type: string \"five\", expected an integer\n  \
         `counter.setp`: unknown field `setp`, expected `count` or `step`; did you mean `step`?\n  \
         `search`: expected an object"
    );
    let restored = Mounted::restore::<(CycleA, CycleB)>(&json!({ "cycle_a": {}, "cycle_b": {} }));
    assert_eq!(
        restored.unwrap_err().to_string(),
        "at the top level: skills require each other in a cycle: cycle_a -> cycle_b -> cycle_a; remove one of the `requires`"
    );
    let restored = Mounted::restore::<(Counter,)>(&json!([]));
    assert_eq!(
        restored.unwrap_err().to_string(),
        "at the top level: expected an object"
    );
}

#[test]
fn a_restored_state_may_be_partial_and_in_another_order() {
    let skills = Mounted::restore::<(Search, Auth, Counter)>(
        &json!({ "search": { "queries": ["a"] }, "auth": {}, "counter": { "count": 7 } }),
    )
    .unwrap();
    assert_eq!(
        serde_json::to_string(&skills).unwrap(),
        r#"{"auth":{"user":null},"search":{"queries":["a"]},"counter":{"count":7,"step":1}}"#
    );
    assert_eq!(skills.registrations().len(), 4);
}

/// Holds a number that JSON cannot hold.
#[derive(Skill, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "gauge", actions(Empty, Halve))]
pub struct Gauge {
    #[skill(default = f64::NAN)]
    pub level: f64,
}

/// Set the level to NaN.
#[action]
pub fn empty(gauge: &mut Gauge) -> f64 {
    gauge.level = f64::NAN;
    gauge.level
}

/// Halve the level.
#[action]
pub fn halve(gauge: &mut Gauge) {
    gauge.level /= 2.0;
}

#[test]
fn a_state_that_json_cannot_hold_equals_only_its_own_clone() {
    let mut skills = Mounted::new();
    skills.mount::<Gauge>(&nothing()).unwrap();
    let mut copy = skills.clone();
    assert_eq!(skills, copy);
    copy.call_json("halve", "{}").unwrap();
    assert_ne!(skills, copy);
    assert!(skills.call_json("empty", "{}").is_err());
}

#[test]
fn a_state_key_of_two_types_in_the_registry_is_refused() {
    let mut skills = Mounted::with_registry(Registry::of::<(Counter, SameStateKey)>());
    let error = skills.set(&json!({ "counter": {} })).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`counter`: two skills of the registry have the state key `counter`: `mounted::common::mounted_fixtures::Counter` \
         and `mounted::common::mounted_fixtures::SameStateKey`; remove one of them"
    );
    // a mounted type decides
    skills.mount::<SameStateKey>(&nothing()).unwrap();
    skills.set(&json!({ "counter": {} })).unwrap();
}

#[test]
fn a_state_with_very_many_problems_is_reported_in_part() {
    let mut skills = Mounted::with_registry(Registry::of::<(Counter,)>());
    let many: serde_json::Map<_, _> = (0..5000).map(|i| (format!("k{i}"), json!({}))).collect();
    let error = skills.set(&Value::Object(many)).unwrap_err();
    let problems = error.problems();
    assert_eq!(problems.len(), 101);
    let last = "there may be more problems; these are the first";
    assert_eq!(problems.last().unwrap().message, last);
    let mentions = problems
        .iter()
        .filter(|problem| problem.message == last)
        .count();
    assert_eq!(mentions, 1);
}
