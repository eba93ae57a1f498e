//! One agent with skills of libraries that use `skill-core` directly or at another path, in a program that uses `skill-agent`
//! under another name.

use hygiene_agent::state::{Idle, Orders};
use hygiene_core::Stock;
use hygiene_path::{Countdown, Down};
use sa::core::serde_json::json;
use sa::prelude::*;

agent! {
    /// Everything in one house.
    #[derive(Debug, PartialEq)]
    struct House {
        name: "house",
        skills: [Stock as cellar { max: 3 }, Orders, Idle, Countdown { from: 2 }],
        crate: sa,
    }
}

#[test]
fn one_agent_has_skills_of_every_crate() {
    let mut house = House::new();
    assert_eq!(house.cmd(Down { by: 1 }).unwrap().output, 1);
    let put = hygiene_core::Put {
        item: "tea".to_owned(),
        count: 2,
        note: None,
    };
    let done = house.cellar().cmd(put).unwrap();
    assert!(
        matches!(&done.directives[1], Directive::Run(instruction) if instruction.action == "cellar_count")
    );
    assert_eq!(
        house
            .call_json("cellar_count", r#"{"item":"tea"}"#)
            .unwrap()
            .output,
        r#"{"there":{"count":2}}"#
    );
    assert_eq!(
        house.call_json("how_many", "{}").unwrap().output,
        r#"{"count":0}"#
    );
    let batch = [
        Instruction::new("down", json!({})),
        Instruction::new("cellar_put-in", json!({ "item": "tea", "how_many": 2 })),
    ];
    let error = house.run(&batch).unwrap_err();
    assert_eq!(
        error.to_string(),
        "instruction 2 (`cellar_put-in`) failed: the shelf is full"
    );
    assert_eq!(house.state().countdown.from, 1);
    let names: Vec<&str> = House::skills().iter().map(|skill| skill.name).collect();
    assert_eq!(names, ["cellar", "orders", "idle", "countdown"]);
    let types: Vec<&str> = House::skills()
        .iter()
        .map(|skill| skill.type_path)
        .collect();
    assert_eq!(
        types,
        [
            "hygiene_core::Stock",
            "hygiene_agent::state::Orders",
            "hygiene_agent::state::Idle",
            "hygiene_path::Countdown"
        ]
    );
}
