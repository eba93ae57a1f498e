//! Mounting sets of skills: their order, their requirements and their failures.

use crate::common::mounted_fixtures::*;
use crate::common::mounting_agent::registered;
use serde_json::{Value, json};
use skill_agent::core::Registry;
use skill_agent::prelude::*;

fn nothing() -> Value {
    json!({})
}

#[test]
fn a_set_of_skills_is_mounted_in_the_order_of_its_requirements() {
    let mut skills = Mounted::new();
    let directives = skills
        .mount_all::<(Search, Counter, Auth)>(&json!({ "counter": { "count": 5 } }))
        .unwrap();
    assert_eq!(
        registered(&directives),
        ["+log_in", "+query", "+increment", "+reset"]
    );
    assert_eq!(
        skills.names().collect::<Vec<_>>(),
        ["auth", "search", "counter"]
    );
    assert_eq!(skills.state::<Counter>().unwrap().count, 5);
    // a mounted skill is left unchanged
    assert!(
        skills
            .mount_all::<(Counter,)>(&nothing())
            .unwrap()
            .is_empty()
    );
}

#[test]
fn a_set_of_skills_is_mounted_completely_or_not_at_all() {
    let mut skills = Mounted::new();
    let mut message_of = |mount: fn(&mut Mounted, &Value) -> Result<Vec<Directive>, MountError>,
                          options: Value| {
        let error = mount(&mut skills, &options).unwrap_err().to_string();
        assert!(skills.is_empty());
        error
    };
    assert_eq!(
        message_of(Mounted::mount_all::<(Counter, CycleA, CycleB)>, nothing()),
        "skills require each other in a cycle: cycle_a -> cycle_b -> cycle_a; remove one of the `requires`"
    );
    assert_eq!(
        message_of(Mounted::mount_all::<(Counter, Search)>, nothing()),
        "`search` requires `auth`, which is not mounted; mount `auth` first"
    );
    let wrong = json!({ "counter": { "count": "five" } });
    assert_eq!(
        message_of(Mounted::mount_all::<(Auth, Counter)>, wrong),
        "the options of `counter` are wrong: `counter.count`: invalid type: string \"five\", expected an integer"
    );
    assert_eq!(
        message_of(
            Mounted::mount_all::<(Auth, Counter)>,
            json!({ "countr": {} })
        ),
        "the options are wrong: `countr`: unknown field `countr`, expected `auth` or `counter`; did you mean `counter`?"
    );
    assert_eq!(
        message_of(
            Mounted::mount_all::<(SameStateKey,)>,
            json!({ "same_state_key": {} })
        ),
        "the options are wrong: `same_state_key`: options go by the state key; write `counter`"
    );
    assert_eq!(
        message_of(Mounted::mount_all::<(Auth, Counter)>, json!([])),
        "the options are wrong: at the top level: expected an object"
    );
    assert!(
        message_of(Mounted::mount_all::<(Counter, OtherCounter)>, nothing()).starts_with(
            "the name `counter` belongs to the mounted `mounted::common::mounted_fixtures::Counter`"
        )
    );
}

#[test]
fn the_registry_resolves_the_requirements_of_a_skill() {
    let mut skills =
        Mounted::with_registry(Registry::of::<(Counter, Search, Auth, CycleA, CycleB)>());
    assert_eq!(skills.resolve(["search"]).unwrap(), ["auth", "search"]);
    assert_eq!(
        skills.resolve(["counter", "search", "auth"]).unwrap(),
        ["counter", "auth", "search"]
    );
    assert_eq!(
        skills.resolve(["cycle_b"]).unwrap_err().to_string(),
        "skills require each other in a cycle: cycle_b -> cycle_a -> cycle_b; remove one of the `requires`"
    );
    assert_eq!(
        skills.resolve(["unknown"]).unwrap_err().to_string(),
        "no skill or document `unknown` is in the registry"
    );
    let directives = skills.mount_all_named(["search"], &nothing()).unwrap();
    assert_eq!(registered(&directives), ["+log_in", "+query"]);
    assert_eq!(
        skills.resolve(["search", "counter"]).unwrap(),
        ["counter"],
        "mounted already"
    );

    let lonely = Mounted::with_registry(Registry::of::<(Search,)>());
    assert_eq!(
        lonely.resolve(["search"]).unwrap_err(),
        MountError::MissingDependency {
            skill: "search".into(),
            required: "auth".into()
        }
    );
}
