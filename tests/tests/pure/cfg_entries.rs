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
