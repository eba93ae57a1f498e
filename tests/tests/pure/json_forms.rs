//! JSON as text and as a value: the table of `docs/agents.md`.

use crate::common::aliased_calculators::OneAlias;
use serde_json::{Value, json};
use skill_agent::models::Provider;
use skill_agent::prelude::*;

#[test]
fn a_name_with_json_is_about_text_and_every_other_one_about_a_value() {
    let mut agent = OneAlias::new();
    // text
    let state: String = agent.state_json().unwrap();
    agent.set_json("{}").unwrap();
    agent.replace_state_json(&state).unwrap();
    let _: OneAlias = OneAlias::from_state_json(&state).unwrap();
    let tools: &'static str = OneAlias::tools_json(Provider::OPENAI_CHAT).unwrap();
    let own: String = Provider::OPENAI_CHAT.tools_json(OneAlias::tools()).unwrap();
    assert_eq!(own, tools);
    // values
    let state: Value = agent.state_value().unwrap();
    agent.set(&json!({})).unwrap();
    OneAlias::validate(&state).unwrap();
    let list: Value = Provider::OPENAI_CHAT.tools(OneAlias::tools()).unwrap();
    let request = json!({ "model": "m", "tools": list });
    assert_eq!(request["tools"][0]["type"], "function");
    assert_eq!(list.to_string(), tools);
}

mod fields {
    use schemars::JsonSchema;
    use serde::{Deserialize, Serialize};
    use skill_agent::prelude::*;

    #[derive(Skill, Debug, Clone, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "long-notes", state_key = "notes")]
    pub struct LongNotes {
        pub lines: Vec<String>,
    }

    agent! {
        pub struct Keeper {
            name: "keeper",
            skills: [LongNotes],
        }
    }
}

#[test]
fn the_rust_field_of_a_skill_has_the_name_of_its_type() {
    let agent = fields::Keeper::new();
    assert!(agent.state().long_notes.lines.is_empty());
    assert_eq!(
        agent.state_value().unwrap(),
        json!({ "notes": { "lines": [] } })
    );
}
