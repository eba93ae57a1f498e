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

mod with_defaults {
    use super::*;

    /// Sells tickets.
    #[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "tickets", config = TicketsConfig)]
    pub struct Tickets {
        #[skill(from_config)]
        pub seats: u32,
        #[skill(default = vec!["front".to_owned()])]
        pub rows: Vec<String>,
    }

    /// The options of the ticket office.
    #[derive(SkillConfig, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    pub struct TicketsConfig {
        #[skill(default = 10 * 4)]
        pub seats: u32,
        #[skill(default)]
        pub hall: String,
        pub is_open: bool,
        #[skill(default = Some("EUR".to_owned()))]
        pub currency: Option<String>,
    }

    agent! {
        struct Theater { name: "theater", skills: [Tickets, Tickets as matinee { seats: 12 }] }
    }

    /// Fields without options are allowed too.
    #[derive(SkillConfig, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    struct Empty {}

    fn defaults() -> TicketsConfig {
        TicketsConfig {
            seats: 40,
            hall: String::new(),
            is_open: false,
            currency: Some("EUR".to_owned()),
        }
    }

    #[test]
    fn a_configuration_begins_with_the_defaults_of_its_fields() {
        assert_eq!(TicketsConfig::default(), defaults());
        assert_eq!(Tickets::default().seats, 40);
        assert_eq!(Empty::default(), Empty {});
    }

    #[test]
    fn what_an_agent_leaves_out_keeps_its_default() {
        let agent = Theater::new();
        assert_eq!(agent.config::<Tickets>(), &defaults());
        assert_eq!(
            (agent.state().tickets.seats, agent.state().matinee.seats),
            (40, 12)
        );
    }

    #[test]
    fn partial_json_and_the_schema_take_the_same_defaults() {
        let builder = Theater::builder().config_json("tickets", r#"{ "hall": "A" }"#);
        let agent = builder.unwrap().build();
        let expected = TicketsConfig {
            hall: "A".to_owned(),
            ..defaults()
        };
        assert_eq!(agent.config::<Tickets>(), &expected);
        let schema = serde_json::to_value(schemars::schema_for!(TicketsConfig)).unwrap();
        assert_eq!(schema["properties"]["seats"]["default"], 40);
        assert_eq!(schema["properties"]["currency"]["default"], "EUR");
    }
}
