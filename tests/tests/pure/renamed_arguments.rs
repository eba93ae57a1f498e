//! `#[action(rename_all = "…")]`: the names of arguments in JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::prelude::*;
use std::collections::BTreeMap;

/// A shop.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "shop", actions(Restock, Order))]
pub struct Shop {
    pub stock: BTreeMap<String, u32>,
}

/// Put items on the shelf.
#[action(rename_all = "camelCase", derive(Clone, Debug, PartialEq))]
pub fn restock(
    shop: &mut Shop,
    /// The name of the item.
    item_name: String,
    #[arg(range(1..=9), default = 1)] item_count: u32,
    #[arg(rename = "shelf_no")] shelf_number: Option<u8>,
    r#type: Option<String>,
) -> u32 {
    let _ = (shelf_number, r#type);
    let on_shelf = shop.stock.entry(item_name).or_default();
    *on_shelf += item_count;
    *on_shelf
}

/// Order items; a name that serde reads makes the derives of serde necessary.
#[action(rename_all = "kebab-case", derive(Debug, PartialEq))]
pub fn order(
    shop: &Shop,
    #[serde(alias = "item")] item_name: String,
    #[arg(length(1..=3))] ship_to: Option<String>,
) -> usize {
    let _ = (item_name, ship_to);
    shop.stock.len()
}

agent! {
    pub struct Market {
        name: "market",
        skills: [Shop],
    }
}

fn names(schema: &Value) -> Vec<&str> {
    let properties = schema["properties"].as_object().expect("the properties");
    properties.keys().map(String::as_str).collect()
}

#[test]
fn the_schema_has_the_names_of_the_rule() {
    let schema_of = |name| {
        let tool = Market::tools().iter().find(|tool| tool.name == name);
        tool.expect("the tool").input_schema().to_owned()
    };
    let restock = json!(schema_of("restock"));
    assert_eq!(
        names(&restock),
        ["itemName", "itemCount", "shelf_no", "type"]
    );
    assert_eq!(restock["required"], json!(["itemName"]));
    assert_eq!(restock["properties"]["itemCount"]["maximum"], 9);
    let order = json!(schema_of("order"));
    assert_eq!(names(&order), ["item-name", "ship-to"]);
    assert_eq!(order["required"], json!(["item-name"]));
    assert_eq!(order["properties"]["ship-to"]["maxLength"], 3);
}

#[test]
fn arguments_are_read_and_written_under_the_names_of_the_rule() {
    let mut market = Market::new();
    let ink = r#"{"itemName":"ink","itemCount":3,"shelf_no":2}"#;
    assert_eq!(market.call_json("restock", ink).unwrap().output, "3");
    assert_eq!(market.state().shop.stock["ink"], 3);
    let orders = [
        r#"{"item-name":"ink","ship-to":"Rio"}"#,
        r#"{"item":"ink"}"#,
    ];
    for order in orders {
        assert_eq!(market.call_json("order", order).unwrap().output, "1");
    }

    let action = Restock {
        item_name: "ink".to_owned(),
        item_count: 3,
        shelf_number: Some(2),
        r#type: None,
    };
    let written = serde_json::to_value(&action).unwrap();
    assert_eq!(
        written,
        json!({ "itemName": "ink", "itemCount": 3, "shelf_no": 2, "type": null })
    );
    assert_eq!(serde_json::from_value::<Restock>(written).unwrap(), action);
    let order = Order {
        item_name: "ink".to_owned(),
        ship_to: None,
    };
    let written = serde_json::to_value(&order).unwrap();
    assert_eq!(written, json!({ "item-name": "ink", "ship-to": null }));
    assert_eq!(serde_json::from_value::<Order>(written).unwrap(), order);
}

#[test]
fn errors_have_the_names_of_the_rule() {
    let cases = [
        ("restock", r#"{}"#, "missing field `itemName`"),
        (
            "restock",
            r#"{"itemName":"ink","itemCount":10}"#,
            "`itemCount`: 10 is out of range, expected 1..=9",
        ),
        (
            "restock",
            r#"{"itemName":"ink","itemCount":"2"}"#,
            "`itemCount`: invalid type",
        ),
        ("restock", r#"{"item_name":"ink"}"#, "`itemName`"),
        ("order", r#"{}"#, "missing field `item-name`"),
        (
            "order",
            r#"{"item-name":"ink","ship-to":"Paris"}"#,
            "`ship-to`",
        ),
        ("order", r#"{"item_name":"ink"}"#, "`item-name`"),
    ];
    let mut market = Market::new();
    for (action, arguments, expected) in cases {
        let error = market.call_json(action, arguments).unwrap_err().to_string();
        assert!(error.contains(expected), "{arguments}\n{error}\n{expected}");
    }
}

/// Makes a skill whose action has the names of a rule, and a struct with the rule of serde.
macro_rules! rules {
    ($($module:ident: $rule:literal;)*) => {
        $(
            mod $module {
                use super::*;

                /// Nothing.
                #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
                #[serde(default)]
                #[skill(name = "nothing", actions(Take))]
                pub struct Nothing {}

                /// Take arguments.
                #[action(rename_all = $rule)]
                pub fn take(
                    nothing: &Nothing,
                    api_key: u8,
                    _private: u8,
                    score_: u8,
                    version_2_b: u8,
                    plain: u8,
                    r#in: u8,
                ) {
                    let _ = (nothing, api_key, _private, score_, version_2_b, plain, r#in);
                }

                #[derive(Serialize)]
                #[serde(rename_all = $rule)]
                pub struct BySerde {
                    pub api_key: u8,
                    pub _private: u8,
                    pub score_: u8,
                    pub version_2_b: u8,
                    pub plain: u8,
                    pub r#in: u8,
                }
            }
        )*

        #[test]
        fn every_rule_is_that_of_serde() {
            $({
                use $module::{BySerde, Take};
                let (api_key, _private, score_, version_2_b, plain, r#in) = (1, 2, 3, 4, 5, 6);
                let action = Take { api_key, _private, score_, version_2_b, plain, r#in };
                let by_serde = BySerde { api_key, _private, score_, version_2_b, plain, r#in };
                let text = |value: serde_json::Result<String>| value.expect("it can be written");
                let (action, by_serde) = (serde_json::to_string(&action), serde_json::to_string(&by_serde));
                assert_eq!(text(action), text(by_serde), $rule);
            })*
        }
    };
}

rules! {
    lower: "lowercase";
    upper: "UPPERCASE";
    pascal: "PascalCase";
    camel: "camelCase";
    snake: "snake_case";
    screaming_snake: "SCREAMING_SNAKE_CASE";
    kebab: "kebab-case";
    screaming_kebab: "SCREAMING-KEBAB-CASE";
}
