//! Configuration that is known at run time only: by type, and as JSON.

mod common;

use common::notes::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;

#[test]
fn a_builder_gives_an_id_and_configurations() {
    let config = NotesConfig {
        longest: 9,
        prefix: Some("- ".to_owned()),
    };
    let mut office = Office::builder()
        .id("office 7")
        .config::<Notes>(config.clone())
        .build();
    assert_eq!(office.id(), Some("office 7"));
    assert_eq!(
        (office.config::<Notes>(), office.state().notes.longest),
        (&config, 9)
    );
    assert_eq!(
        Office::skill_config::<Notes>(),
        &NotesConfig::default(),
        "the declared one"
    );
    office.cmd(Write { line: "a".into() }).unwrap();
    assert_eq!(office.state().notes.lines, ["- a"]);
    assert_eq!(Office::new().config::<Notes>(), &NotesConfig::default());
    assert_eq!(
        (Office::new().id(), Office::with_id("a").id()),
        (None, Some("a"))
    );
    assert_ne!(office, Office::new());
}

#[test]
fn configuration_comes_as_json_laid_over_what_is_there() {
    let office = Office::builder()
        .config_value(&json!({ "notes": { "prefix": "* " } }))
        .and_then(|builder| builder.config_value(&json!({ "notes": { "longest": 7 } })))
        .unwrap()
        .build();
    let config = office.config::<Notes>();
    assert_eq!((config.longest, config.prefix.as_deref()), (7, Some("* ")));
    let writer = Writer::builder()
        .config_value(&json!({ "notes": {} }))
        .unwrap()
        .build();
    assert_eq!(
        writer.config::<Notes>().longest,
        3,
        "what `agent!` declares"
    );
}

#[test]
fn every_problem_of_a_configuration_is_told() {
    let patch = json!({
        "note": {},
        "notes": { "longest": -1, "prefixx": 1 },
        "tally": { "step": 1 },
    });
    let error = Office::builder().config_value(&patch).unwrap_err();
    let mut told: Vec<(&str, Option<&str>)> = error
        .problems()
        .iter()
        .map(|problem| (&*problem.path, problem.help.as_deref()))
        .collect();
    told.sort_unstable();
    let expected = [
        ("note", Some("did you mean `notes`?")),
        ("notes.longest", None),
        ("notes.prefixx", Some("did you mean `prefix`?")),
        ("tally.step", None),
    ];
    assert_eq!(told, expected, "{error}");
}

#[test]
fn the_agent_s_own_configuration_can_be_given_too() {
    let config = OfficeConfig {
        most: 0,
        sign: "9 to 5".to_owned(),
    };
    let mut office = Office::builder().config::<OfficeBase>(config).build();
    assert_eq!(office.cmd(Hours {}).unwrap().output, "9 to 5: true");
    assert!(office.cmd(Open { now: true }).is_err());
}

#[test]
fn an_agent_may_be_called_like_one_of_its_skills() {
    #[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    struct Owner {
        owner: String,
    }
    agent! {
        struct NotesAgent { name: "notes", config: Owner, skills: [Notes] }
    }
    let agent = NotesAgent::builder()
        .config::<NotesAgentBase>(Owner { owner: "me".into() })
        .config::<Notes>(NotesConfig {
            longest: 9,
            prefix: None,
        })
        .build();
    assert_eq!(agent.config::<Notes>().longest, 9);
    assert_eq!(agent.config::<NotesAgentBase>().owner, "me");
}
