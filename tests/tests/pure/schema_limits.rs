//! Known differences between JSON Schema and serde, and cases in which they must agree.

use crate::common::argument_cases;
use crate::common::argument_kinds::ArgumentAgent;
use crate::common::schema_validator::SchemaValidator;
use crate::schema_values::guide_has;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;
use std::net::Ipv4Addr;

// The cases that the generators of `common/json_mutation.rs` avoid.
#[test]
fn the_known_differences_between_json_schema_and_serde_are_complete() {
    let mut wide = argument_cases::all().remove(0).valid.remove(0);
    wide["h"] = json!(1_u64 << 32); // a `u32`, whose limits are a format
    let mut rounded = argument_cases::all().remove(0).valid.remove(0);
    rounded["i"] = json!(1e17); // a `u64`, written as a float beyond 2^53
    let repeated = json!({ "word": "ab", "list": [], "map": { "a": 1 }, "set": [1, 1] });
    let odd_key = json!({ "prices": {}, "by_number": { "007": "a" }, "people": {} });
    let person = json!({ "person": ["a", null], "others": [] });
    let variant = json!({ "colour": { "red": null } });
    let content = json!({
        "colour": "red", "shape": "Point", "payment": { "by": "Cash" }, "shapes": [], "answer": { "kind": "Yes", "value": 3 },
    });
    let mut single = argument_cases::all().remove(0).valid.remove(0);
    single["k"] = json!(1e300);
    let alias = json!({ "n": 1 });
    for (row, action, arguments, schema, reader) in [
        ("whole floats above 2^53", "numbers", rounded, true, false),
        ("an array for a struct", "nested", person, false, true),
        (
            "an object for a variant without content",
            "defaults",
            variant,
            false,
            true,
        ),
        ("equal items of a set", "lengths", repeated, false, true),
        ("content for a unit variant", "enums", content, true, false),
        ("keys of a map", "maps", odd_key, true, false),
        (
            "integers outside of their type",
            "numbers",
            wide,
            true,
            false,
        ),
        ("large numbers for an `f32`", "numbers", single, true, false),
        ("another name of a field", "by_serde", alias, false, true),
    ] {
        assert!(guide_has(row), "docs/schemas.md has no row `{row}`");
        let tool = ArgumentAgent::tools()
            .iter()
            .find(|tool| tool.name == action);
        let validator = SchemaValidator::new(tool.expect("every action has a tool").input_schema());
        let read = ArgumentAgent::new().call_json(action, &arguments.to_string());
        assert_eq!(
            (validator.accepts(&arguments), read.is_ok()),
            (schema, reader),
            "{action}: {arguments}"
        );
    }
}

#[test]
fn the_schema_shows_the_limits_of_an_f32_as_written() {
    let schema = BasketAgent::tools()[0].input_schema();
    let share = &schema["properties"]["share"];
    let shown = (
        &share["minimum"],
        &share["maximum"],
        &share["default"],
        &share["examples"],
    );
    assert_eq!(
        shown,
        (&json!(0.1), &json!(0.7), &json!(0.3), &json!([0.2]))
    );
    let validator = SchemaValidator::new(schema);
    for limit in [0.1, 0.7] {
        let arguments = json!({ "share": limit });
        assert!(
            BasketAgent::new()
                .call_json("take_share", &arguments.to_string())
                .is_ok()
        );
        assert!(
            validator.accepts(&arguments),
            "{}",
            validator.explain(&arguments)
        );
    }
}

#[test]
fn the_schema_accepts_a_partial_state() {
    let part = json!({ "basket": { "apples": 1 } });
    BasketAgent::validate(&part).unwrap();
    let validator = SchemaValidator::new(BasketAgent::schema().as_value());
    assert!(validator.accepts(&part), "{}", validator.explain(&part));
}

/// Derives `Default` without `#[serde(default)]`.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[skill(name = "basket", actions(TakeShare, Widest, SendTo))]
pub struct Basket {
    pub apples: u32,
    pub pears: u32,
}

/// Take a share of the basket.
#[action]
pub fn take_share(
    basket: &Basket,
    #[arg(range(0.1..=0.7), default = 0.3, example = 0.2)] share: f32,
) -> f32 {
    let _ = basket;
    share
}

/// Return a number of 128 bits.
#[action]
pub fn widest(
    basket: &Basket,
    #[arg(range(..=u128::MAX), default = u128::MAX)] number: u128,
) -> u128 {
    let _ = basket;
    number
}

/// Send the basket to a machine.
#[action]
pub fn send_to(
    _: &Basket,
    #[arg(example = "192.0.2.7")] host: Ipv4Addr,
    #[arg(default, example = "by hand")] note: String,
    #[arg(example = "192.0.2.8")] relay: Option<Ipv4Addr>,
) -> String {
    format!("{host} {note} {relay:?}")
}

agent! {
    #[derive(Debug, PartialEq)]
    pub struct BasketAgent {
        name: "basket_agent",
        skills: [Basket],
    }
}

#[test]
fn an_example_in_quotes_is_the_json_form_of_a_type_with_a_name() {
    let properties = &BasketAgent::tools()[2].input_schema()["properties"];
    assert_eq!(properties["host"]["examples"], json!(["192.0.2.7"]));
    assert_eq!(properties["note"]["examples"], json!(["by hand"]));
    assert_eq!(properties["relay"]["examples"], json!(["192.0.2.8"]));
}

#[test]
fn a_call_with_a_wrong_format_names_the_form() {
    let error = BasketAgent::new().call_json("send_to", r#"{"host":"here"}"#);
    assert_eq!(
        error.unwrap_err().to_string(),
        "the arguments of `send_to` are wrong: `host`: invalid IPv4 address syntax; expected an IPv4 address, such as `192.0.2.1`"
    );
}

#[test]
fn an_argument_of_128_bits_has_a_schema() {
    SchemaValidator::new(BasketAgent::tools()[1].input_schema());
}

#[test]
fn an_output_of_128_bits_is_exact_or_an_error() {
    let number = u128::MAX.to_string();
    let arguments = format!(r#"{{"number":{number}}}"#);
    assert_eq!(
        BasketAgent::new()
            .call_json("widest", &arguments)
            .unwrap()
            .output,
        number
    );
    // a `Value` holds 64 bits
    if let Ok(done) = BasketAgent::new().run(&[Instruction::new("widest", json!({}))]) {
        assert_eq!(done.output[0].to_string(), number);
    }
}
