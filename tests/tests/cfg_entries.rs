//! Skills that are there, or are not, by `#[cfg]`.

mod common;

use common::aliased_calculators::*;
use serde_json::json;
use skill_agent::prelude::*;

agent! {
    #[derive(Debug, PartialEq)]
    pub struct Chosen {
        name: "chosen",
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
fn a_cfg_on_an_entry_holds_in_everything() {
    let mut chosen = Chosen::new();
    assert_eq!(
        Chosen::skills()
            .iter()
            .map(|skill| skill.name)
            .collect::<Vec<_>>(),
        ["calc", "stats"]
    );
    assert_eq!(
        chosen.calc().cmd(Add { a: 1.0, b: 1.0 }).unwrap().output,
        6.0
    );
    assert_eq!(
        chosen
            .call_json("record", r#"{"sample":1}"#)
            .unwrap()
            .output,
        "1"
    );
    let state = json!({ "calc": { "scale": 3.0, "last": 6.0 }, "stats": { "samples": [1.0] } });
    assert_eq!(chosen.state_value().unwrap(), state);
    assert_eq!(Chosen::from_state_json(&state.to_string()).unwrap(), chosen);
    assert_eq!(
        Chosen::schema().as_value()["properties"]
            .as_object()
            .unwrap()
            .len(),
        2
    );
}
