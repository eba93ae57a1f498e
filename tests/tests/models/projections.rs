//! Every kind of argument for every provider.

use crate::common::argument_cases;
use crate::common::argument_kinds::ArgumentAgent;
use crate::common::schema_validator::SchemaValidator;
use crate::conform::conformed;
use crate::dialect_rules::mistakes;
use crate::nullable::without_nullable;
use crate::single_arguments;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::models::Provider;
use skill_agent::{Agent, ToolBuf};

/// The schema in the JSON of a tool.
pub(crate) fn schema_in(provider: Provider, tool: &Value) -> Value {
    let parts = provider
        .shape
        .wrapper
        .map_or(tool, |wrapper| &tool[wrapper]);
    parts[provider.shape.schema].clone()
}

fn validator(provider: Provider, schema: &Value) -> SchemaValidator {
    if provider == Provider::GEMINI_LEGACY {
        SchemaValidator::new(&without_nullable(schema))
    } else {
        SchemaValidator::new(schema)
    }
}

#[test]
fn every_argument_is_expressed_as_the_provider_reads_it() {
    let arguments = single_arguments::all();
    assert!(arguments.len() >= 30);
    let mut expressed = 0;
    for argument in &arguments {
        for &provider in Provider::ALL {
            let Ok(tool) = provider.tool(&argument.tool.as_tool()) else {
                continue; // `expressible.rs` has the list of those
            };
            expressed += 1;
            let schema = schema_in(provider, &tool);
            let wrong = mistakes(provider, &schema);
            assert!(
                wrong.is_empty(),
                "{provider:?} {}: {wrong:#?}\n{schema:#}",
                argument.name
            );
        }
    }
    assert!(expressed > arguments.len() * 7, "{expressed}");
}

#[test]
fn a_projection_accepts_what_the_action_accepts() {
    for argument in single_arguments::all() {
        for &provider in Provider::ALL {
            let Ok(tool) = provider.tool(&argument.tool.as_tool()) else {
                continue;
            };
            let mut schema = schema_in(provider, &tool);
            if provider == Provider::GEMINI_LEGACY {
                schema = without_nullable(&schema);
            }
            let validator = SchemaValidator::new(&schema);
            for value in &argument.values {
                let value = conformed(&schema, value);
                assert!(
                    validator.accepts(&value),
                    "{provider:?} {}: {value}: {}\n{schema:#}",
                    argument.name,
                    validator.explain(&value)
                );
            }
        }
    }
}

/// A model in strict mode has a value for every property. The call has the effect of the one with omitted properties.
#[test]
fn a_strict_call_is_the_call_with_omitted_arguments() {
    let mut strict = 0;
    for case in argument_cases::all() {
        let tool = ArgumentAgent::tools()
            .iter()
            .find(|tool| tool.name == case.action)
            .unwrap();
        for &provider in Provider::ALL {
            let Ok(json) = provider.tool(tool) else {
                continue;
            };
            let schema = schema_in(provider, &json);
            if schema.is_null() {
                continue; // left out for a tool without arguments
            }
            let validator = validator(provider, &schema);
            for valid in &case.valid {
                let mut plain = schema.clone();
                if provider == Provider::GEMINI_LEGACY {
                    plain = without_nullable(&schema);
                }
                let mut sent = conformed(&plain, valid);
                // where `null` is a value of its own, a model sends the default
                if case.action == "defaults"
                    && valid.get("level").is_none()
                    && sent.get("level").is_some()
                {
                    sent["level"] = json!(3);
                }
                assert!(
                    validator.accepts(&sent),
                    "{provider:?} {}: {sent}",
                    case.action
                );
                let sent = sent.to_string();
                let restored = provider.restore_omitted(tool, &sent);
                strict += usize::from(restored != sent);
                let expected = ArgumentAgent::new().call_json(case.action, &valid.to_string());
                let called = ArgumentAgent::new().call_json(case.action, &restored);
                assert_eq!(
                    called
                        .map(|called| called.output)
                        .map_err(|error| error.to_string()),
                    expected
                        .map(|called| called.output)
                        .map_err(|error| error.to_string()),
                    "{provider:?} {}: {sent}",
                    case.action
                );
            }
        }
    }
    assert!(strict > 0, "no call had a `null` for an omitted argument");
}

/// How a purchase is paid.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
enum Payment {
    Card { number: String, code: Option<u16> },
    Cash,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Purchase {
    id: u32,
    #[serde(flatten)]
    payment: Payment,
    #[serde(flatten)]
    place: Place,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Place {
    /// The town.
    town: String,
    #[serde(default)]
    floor: i8,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Basket {
    first: Purchase,
    others: Vec<Purchase>,
}

/// A schema as schemars makes it by default, with references and a title.
#[test]
fn flattened_fields_and_shared_definitions_are_expressed() {
    let neutral = schemars::schema_for!(Basket).to_value();
    assert!(neutral.get("$defs").is_some());
    let sent = json!({
        "first": { "id": 1, "by": "card", "number": "2", "town": "Bonn" },
        "others": [{ "id": 1, "by": "cash", "town": "Bonn", "floor": 3 }],
    });
    for &provider in Provider::ALL {
        let schema = provider
            .schema(&neutral)
            .unwrap_or_else(|error| panic!("{provider:?}: {error}"));
        let wrong = mistakes(provider, &schema);
        assert!(wrong.is_empty(), "{provider:?}: {wrong:#?}\n{schema:#}");
        let plain = if provider == Provider::GEMINI_LEGACY {
            without_nullable(&schema)
        } else {
            schema
        };
        let value = conformed(&plain, &sent);
        assert!(
            SchemaValidator::new(&plain).accepts(&value),
            "{provider:?}: {value}\n{plain:#}"
        );
        let tool = ToolBuf::new("buy", "Buy.", neutral.clone());
        let value = value.to_string();
        let restored = provider.restore_omitted(&tool.as_tool(), &value);
        let basket: Basket = serde_json::from_str(&restored).unwrap();
        assert_eq!(
            (basket.first.place.floor, basket.others[0].place.floor),
            (0, 3),
            "{provider:?}"
        );
    }
}
