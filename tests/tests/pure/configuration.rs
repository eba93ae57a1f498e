//! Configuration given at run time, by type and as JSON.

use crate::common::sample_agents::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;

#[test]
fn a_builder_sets_the_id_and_the_configuration() {
    let config = NotesConfig {
        max_length: 9,
        prefix: Some("- ".to_owned()),
    };
    let mut agent = FullAgent::builder()
        .id("agent 7")
        .config::<Notes>(config.clone())
        .build()
        .unwrap();
    assert_eq!(agent.id(), Some("agent 7"));
    assert_eq!(
        (agent.config::<Notes>(), agent.state().notes.max_length),
        (&config, 9)
    );
    assert_eq!(
        FullAgent::skill_config::<Notes>(),
        &NotesConfig::default(),
        "the configuration in `agent!`"
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
fn json_configuration_is_merged_into_the_present_one() {
    let agent = FullAgent::builder()
        .config_value(&json!({ "notes": { "prefix": "* " } }))
        .and_then(|builder| builder.config_value(&json!({ "notes": { "max_length": 7 } })))
        .unwrap()
        .build()
        .unwrap();
    let config = agent.config::<Notes>();
    assert_eq!(
        (config.max_length, config.prefix.as_deref()),
        (7, Some("* "))
    );
    let agent = NotesAgent::builder()
        .config_value(&json!({ "notes": {} }))
        .unwrap()
        .build()
        .unwrap();
    assert_eq!(
        agent.config::<Notes>().max_length,
        3,
        "the value in `agent!`"
    );
}

#[test]
fn every_problem_of_a_configuration_is_reported() {
    let patch = json!({
        "note": {},
        "notes": { "max_length": -1, "prefixx": 1 },
        "tally": { "step": 1 },
    });
    let error = FullAgent::builder().config_value(&patch).unwrap_err();
    let mut problems: Vec<(&str, Option<&str>)> = error
        .problems()
        .iter()
        .map(|problem| (&*problem.path, problem.help.as_deref()))
        .collect();
    problems.sort_unstable();
    let expected = [
        ("note", Some("did you mean `notes`?")),
        ("notes.max_length", None),
        ("notes.prefixx", Some("did you mean `prefix`?")),
        ("tally.step", None),
    ];
    assert_eq!(problems, expected, "{error}");
}

#[test]
fn a_configuration_is_an_object_and_no_list_of_its_fields() {
    for list in ["[]", "[9]", "[9,null]", "[[]]"] {
        let error = FullAgent::builder().config_json("notes", list).unwrap_err();
        let expected = "`notes`: invalid type: a list, expected an object";
        assert_eq!(error.to_string(), expected, "{list}");
        let patch = json!({ "notes": serde_json::from_str::<serde_json::Value>(list).unwrap() });
        let error = FullAgent::builder().config_value(&patch).unwrap_err();
        assert_eq!(error.to_string(), expected, "{list}");
    }
}

#[test]
fn the_configuration_of_the_agent_itself_can_be_set() {
    let config = FullAgentConfig {
        max_opened: 0,
        sign: "9 to 5".to_owned(),
    };
    let mut agent = FullAgent::builder()
        .config::<FullAgentBase>(config)
        .build()
        .unwrap();
    assert_eq!(agent.cmd(Hours {}).unwrap().output, "9 to 5: true");
    assert!(agent.cmd(Open { now: true }).is_err());
}

#[test]
fn an_agent_can_have_the_name_of_one_of_its_skills() {
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
        .build()
        .unwrap();
    assert_eq!(agent.config::<Notes>().max_length, 9);
    assert_eq!(agent.config::<SameNameAgentBase>().owner, "me");
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
        let agent = builder.unwrap().build().unwrap();
        let expected = TicketsConfig {
            hall: "A".to_owned(),
            ..defaults()
        };
        assert_eq!(agent.config::<Tickets>(), &expected);
        for (text, path) in [
            (r#"{ "hall": 1 }"#, "tickets.hall"),
            (r#"{ "hall": "A", "hall": "B" }"#, "tickets.hall"),
            ("[[", "tickets"),
        ] {
            let error = Theater::builder().config_json("tickets", text).unwrap_err();
            assert_eq!(error.problems()[0].path, path, "{error}");
        }
        let schema = serde_json::to_value(schemars::schema_for!(TicketsConfig)).unwrap();
        assert_eq!(schema["properties"]["seats"]["default"], 40);
        assert_eq!(schema["properties"]["currency"]["default"], "EUR");
    }
}
