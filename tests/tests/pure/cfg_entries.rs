//! `#[cfg]` on entries of the `skills` list and on configuration fields.

use crate::common::aliased_calculators::*;
use serde_json::json;
use skill_agent::prelude::*;

agent! {
    #[derive(Debug, PartialEq)]
    pub struct CfgAgent {
        name: "cfg_agent",
        skills: [
            #[cfg(any())]
            Missing as missing,
            #[cfg(all())]
            Calculator as calc {
                #[cfg(any())]
                nonsense: 1,
                #[cfg(all())]
                scale: 3.0,
            },
            #[cfg(not(all()))]
            Calculator as rough,
            Stats,
        ],
    }
}

#[test]
fn a_cfg_on_an_entry_applies_to_names_tools_state_and_schema() {
    let mut agent = CfgAgent::new();
    assert_eq!(
        CfgAgent::skills()
            .iter()
            .map(|skill| skill.name)
            .collect::<Vec<_>>(),
        ["calc", "stats"]
    );
    assert_eq!(
        agent.calc().cmd(Add { a: 1.0, b: 1.0 }).unwrap().output,
        6.0
    );
    assert_eq!(
        agent.call_json("record", r#"{"sample":1}"#).unwrap().output,
        "1"
    );
    let state = json!({ "calc": { "scale": 3.0, "last": 6.0 }, "stats": { "samples": [1.0] } });
    assert_eq!(agent.state_value().unwrap(), state);
    assert_eq!(
        CfgAgent::from_state_json(&state.to_string()).unwrap(),
        agent
    );
    assert_eq!(
        CfgAgent::schema().as_value()["properties"]
            .as_object()
            .unwrap()
            .len(),
        2
    );
}

/// Actions and parameters of other builds.
mod conditional {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use skill_agent::prelude::*;

    #[derive(Skill, Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(
        name = "notes",
        actions(
            Keep,
            #[cfg(any())]
            Lose,
            #[cfg(all())]
            Find,
            #[cfg(not(all()))]
            Missing,
        ),
        tools(Find(title = "Search"), Lose(title = "Never"))
    )]
    pub struct Notes {
        lines: Vec<String>,
    }

    /// Keep a note.
    #[action]
    pub fn keep(
        notes: &mut Notes,
        text: String,
        #[cfg(any())] lost: Missing,
        /// Where it goes.
        #[cfg(not(any()))]
        #[arg(default = 0)]
        place: usize,
        #[cfg(not(all()))] other: u32,
    ) -> usize {
        #[cfg(any())]
        drop(lost);
        notes.lines.insert(place.min(notes.lines.len()), text);
        notes.lines.len()
    }

    /// Find a note.
    #[action(read_only)]
    pub fn find(notes: &Notes, text: String, #[cfg(any())] case: bool) -> bool {
        notes.lines.contains(&text)
    }

    agent! {
        pub struct Keeper {
            name: "keeper",
            skills: [Notes],
        }
    }
}

#[test]
fn a_cfg_on_a_listed_action_and_on_a_parameter_applies_to_the_tools() {
    use conditional::{Keep, Keeper};
    let tools = Keeper::tools();
    let names: Vec<_> = tools.iter().map(|tool| (tool.name, tool.title)).collect();
    assert_eq!(names, [("keep", None), ("find", Some("Search"))]);
    let properties = |index: usize| {
        let properties = tools[index].input_schema()["properties"]
            .as_object()
            .unwrap();
        properties.keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(
        (properties(0), properties(1)),
        (
            vec!["text".to_owned(), "place".to_owned()],
            vec!["text".to_owned()]
        )
    );
    assert_eq!(
        tools[0].input_schema()["properties"]["place"]["description"],
        "Where it goes."
    );
    let mut agent = Keeper::new();
    let keep = Keep {
        text: "a".to_owned(),
        place: 3,
    };
    assert_eq!(agent.cmd(keep).unwrap().output, 1);
    assert_eq!(
        agent.call_json("find", r#"{"text":"a"}"#).unwrap().output,
        "true"
    );
}

/// Lists with alternatives: the same action under conditions that exclude each other.
mod alternatives {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use skill_agent::prelude::*;

    #[derive(Skill, Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[rustfmt::skip]
    #[skill(
        name = "lamp",
        actions(
            #[cfg(test,)]
            Light,
            #[cfg(not(test))]
            Light,
            #[cfg(not(test,),)]
            Missing,
        )
    )]
    pub struct Lamp {
        lit: bool,
    }

    /// Light the lamp.
    #[action]
    #[rustfmt::skip]
    pub fn light(
        lamp: &mut Lamp,
        /// How bright it is.
        #[cfg(test,)] level: u32,
        #[cfg(not(test))] level: String,
    ) -> u32 {
        lamp.lit = true;
        level
    }

    agent! {
        #[derive(Debug, PartialEq)]
        pub struct Lamplighter {
            name: "lamplighter",
            state: {
                #[cfg(all())]
                #[cfg_attr(all(), serde(rename = "laps"))]
                #[cfg_attr(any(), serde(rename = "turns"))]
                rounds: u32 = 0,
                #[cfg(any())]
                gone: Missing = Missing,
            },
            skills: [
                #[cfg(test,)]
                Lamp as near,
                #[cfg(not(test),)]
                Lamp as far,
            ],
            actions: [
                #[cfg(all())]
                Walk,
                #[cfg(any())]
                Walk,
                #[cfg(any())]
                Missing,
                Carry,
                Rest,
            ],
            mounted: [
                #[cfg(not(test),)]
                Lamp,
            ],
        }
    }

    /// Walk a round.
    #[action]
    pub fn walk(base: &mut LamplighterBase) -> u32 {
        base.rounds += 1;
        base.rounds
    }

    /// Carry a ladder.
    #[action]
    pub fn carry(
        base: &mut LamplighterBase,
        #[cfg_attr(all(), arg(default = 2))] steps: u32,
        #[cfg(any())] lost: Missing,
    ) -> u32 {
        base.rounds + steps
    }

    /// Rest.
    #[action]
    pub fn rest(base: &mut LamplighterBase) {
        base.rounds = 0;
    }

    // only actions that are off: the base has no action, but the agent is there
    agent! {
        pub struct Idle {
            name: "idle",
            actions: [
                #[cfg(any())]
                Missing,
            ],
        }
    }
}

#[test]
fn an_action_is_listed_under_conditions_that_exclude_each_other() {
    use alternatives::{Idle, Lamplighter};
    let mut agent = Lamplighter::new();
    let names: Vec<_> = agent
        .all_tools()
        .into_iter()
        .map(|tool| tool.name.to_string())
        .collect();
    assert_eq!(names, ["walk", "carry", "rest", "near_light"]);
    assert_eq!(agent.call_json("walk", "{}").unwrap().output, "1");
    assert_eq!(agent.call_json("carry", "{}").unwrap().output, "3");
    let lit = agent.call_json("near_light", r#"{"level":3}"#).unwrap();
    assert_eq!(lit.output, "3");
    assert_eq!(agent.state_value().unwrap()["laps"], 1);
    assert!(Idle::tools().is_empty());
}
