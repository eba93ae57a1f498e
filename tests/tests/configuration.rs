//! Configuration that is known at run time only: by type, and as JSON.

mod common;

use common::sample_agents::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;

#[test]
fn a_builder_gives_an_id_and_configurations() {
    let config = NotesConfig {
        max_length: 9,
        prefix: Some("- ".to_owned()),
    };
    let mut agent = FullAgent::builder()
        .id("agent 7")
        .config::<Notes>(config.clone())
        .build();
    assert_eq!(agent.id(), Some("agent 7"));
    assert_eq!(
        (agent.config::<Notes>(), agent.state().notes.max_length),
        (&config, 9)
    );
    assert_eq!(
        FullAgent::skill_config::<Notes>(),
        &NotesConfig::default(),
        "the declared one"
    );
    agent.cmd(Write { line: "a".into() }).unwrap();
    assert_eq!(agent.state().notes.lines, ["- a"]);
    assert_eq!(FullAgent::new().config::<Notes>(), &NotesConfig::default());
    assert_eq!(
        (FullAgent::new().id(), FullAgent::with_id("a").id()),
        (None, Some("a"))
    );
    assert_ne!(agent, FullAgent::new());
}

#[test]
fn configuration_comes_as_json_laid_over_what_is_there() {
    let agent = FullAgent::builder()
        .config_value(&json!({ "notes": { "prefix": "* " } }))
        .and_then(|builder| builder.config_value(&json!({ "notes": { "max_length": 7 } })))
        .unwrap()
        .build();
    let config = agent.config::<Notes>();
    assert_eq!(
        (config.max_length, config.prefix.as_deref()),
        (7, Some("* "))
    );
    let agent = NotesAgent::builder()
        .config_value(&json!({ "notes": {} }))
        .unwrap()
        .build();
    assert_eq!(
        agent.config::<Notes>().max_length,
        3,
        "what `agent!` declares"
    );
}

#[test]
fn every_problem_of_a_configuration_is_told() {
    let patch = json!({
        "note": {},
        "notes": { "max_length": -1, "prefixx": 1 },
        "tally": { "step": 1 },
    });
    let error = FullAgent::builder().config_value(&patch).unwrap_err();
    let mut told: Vec<(&str, Option<&str>)> = error
        .problems()
        .iter()
        .map(|problem| (&*problem.path, problem.help.as_deref()))
        .collect();
    told.sort_unstable();
    let expected = [
        ("note", Some("did you mean `notes`?")),
        ("notes.max_length", None),
        ("notes.prefixx", Some("did you mean `prefix`?")),
        ("tally.step", None),
    ];
    assert_eq!(told, expected, "{error}");
}

#[test]
fn the_agent_s_own_configuration_can_be_given_too() {
    let config = FullAgentConfig {
        max_opened: 0,
        sign: "9 to 5".to_owned(),
    };
    let mut agent = FullAgent::builder().config::<FullAgentBase>(config).build();
    assert_eq!(agent.cmd(Hours {}).unwrap().output, "9 to 5: true");
    assert!(agent.cmd(Open { now: true }).is_err());
}

#[test]
fn an_agent_may_be_called_like_one_of_its_skills() {
    #[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    struct Owner {
        owner: String,
    }
    agent! {
        struct SameNameAgent { name: "notes", config: Owner, skills: [Notes] }
    }
    let agent = SameNameAgent::builder()
        .config::<SameNameAgentBase>(Owner { owner: "me".into() })
        .config::<Notes>(NotesConfig {
            max_length: 9,
            prefix: None,
        })
        .build();
    assert_eq!(agent.config::<Notes>().max_length, 9);
    assert_eq!(agent.config::<SameNameAgentBase>().owner, "me");
}
