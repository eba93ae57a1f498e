//! Skills and agents work without a prelude.

use hygiene_core::{Level, Open, Shop, Stock, stocked};
use skill_core::serde_json::json;
use skill_core::{Agent, Instruction, Skill};

#[test]
fn an_agent_without_a_prelude_works() {
    let mut shop = stocked();
    assert_eq!(
        shop.call_json("count", r#"{"item":"tea"}"#).unwrap().output,
        r#"{"there":{"count":3}}"#
    );
    assert_eq!(
        shop.call_json("cellar_put-in", r#"{"item":"wine"}"#)
            .unwrap()
            .output,
        "1"
    );
    assert_eq!(shop.cellar().state().items.len(), 1);
    assert_eq!(shop.cmd(Open {}).unwrap().output, 1);
    let error = shop
        .call_json("put-in", r#"{"item":"tea","how_many":4}"#)
        .unwrap_err();
    assert_eq!(error.to_string(), "the shelf is full");
    let error = shop.call_json("put-in", r#"{"item":"Tea"}"#).unwrap_err();
    assert!(
        error.to_string().contains("does not match the pattern"),
        "{error}"
    );
    let error = shop
        .call_json("take", r#"{"item":"tea","count":0}"#)
        .unwrap_err();
    assert!(error.to_string().contains("out of range"), "{error}");
    let done = shop.run(&[Instruction::new("empty", json!({}))]).unwrap();
    assert_eq!(done.output, [json!(null)]);
    assert_eq!(
        shop.state_value().unwrap(),
        json!({
            "open": true, "openings": 1, "owner": null,
            "shelves": { "items": {}, "max": 5, "light": 0.5, "code": 0 },
            "cellar": { "items": { "wine": 1 }, "max": 10, "light": 0.5, "code": 0 },
        })
    );
    assert_eq!(
        Shop::from_state_json(&shop.state_value().unwrap().to_string()).unwrap(),
        shop
    );
    assert_eq!(Stock::default().max, 10);
    assert_eq!((Stock::NAME, Stock::STATE_KEY), ("stock", "shelves"));
    assert_eq!(
        hygiene_core::count(&Stock::default(), "tea".into()),
        Level::Gone
    );
}

#[test]
fn a_skill_has_a_document() {
    let spec = hygiene_core::with_document::Till::SPEC;
    assert_eq!((spec.name, spec.version), ("till", Some("0.3.0")));
    assert_eq!(spec.instructions, Some("# Till\n\nCount twice."));
    assert_eq!(spec.triggers.verbs, ["pay"]);
}
