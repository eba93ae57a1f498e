//! The constraints of schemas on states and configurations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;

/// A shop.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "shop", config = ShopConfig, actions(Reduce))]
pub struct Shop {
    #[skill(from_config)]
    #[schemars(range(max = 50))]
    pub discount: u32,
    #[skill(default)]
    #[schemars(length(max = 8), regex(pattern = "^[a-z]*$"))]
    pub name: String,
}

/// Configuration of the shop.
#[derive(SkillConfig, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ShopConfig {
    #[skill(default = 10)]
    #[schemars(range(max = 50))]
    pub discount: u32,
    #[skill(default = vec![1])]
    #[schemars(length(min = 1), inner(range(min = 1)))]
    pub shelves: Vec<u32>,
}

/// Set the discount.
#[action]
pub fn reduce(shop: &mut Shop, discount: u32) {
    shop.discount = discount;
}

agent! {
    /// Sells.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Market {
        name: "market",
        skills: [Shop],
    }
}

mod street {
    use super::Shop;
    use skill_agent::prelude::*;

    agent! {
        /// Has shops.
        pub struct Street {
            name: "street",
            skills: [],
            mounted: [Shop],
        }
    }
}

#[test]
fn constraints_are_checked_wherever_json_becomes_a_state() {
    let discount = "`shop.discount`: 99 is out of range, expected 0..=50";
    let name = "`shop.name`: the length 9 is out of range, expected ..=8";
    let both = format!("2 problems\n  {discount}\n  {name}");
    let document = json!({ "shop": { "discount": 99, "name": "ninechars" } });
    let mut market = Market::new();
    let before = market.clone();
    let set = market.set(&document).unwrap_err();
    let replaced = market
        .replace_state_json(&document.to_string())
        .unwrap_err();
    let read = Market::from_state_json(&document.to_string()).unwrap_err();
    let validated = Market::validate(&document).unwrap_err();
    for error in [set, replaced, read, validated] {
        assert_eq!(error.to_string(), both);
    }
    assert_eq!(market, before);
    let pattern = market
        .set(&json!({ "shop": { "name": "Big" } }))
        .unwrap_err();
    assert_eq!(
        pattern.to_string(),
        "`shop.name`: \"Big\" does not match the pattern `^[a-z]*$`"
    );
}

#[test]
fn what_an_action_writes_is_checked_by_validate_alone() {
    let mut market = Market::new();
    market.cmd(Reduce { discount: 99 }).unwrap();
    market.set(&json!({ "shop": { "name": "big" } })).unwrap();
    assert_eq!(market.state().shop.discount, 99);
    let error = Market::validate(&market.state_value().unwrap()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "`shop.discount`: 99 is out of range, expected 0..=50"
    );
}

#[test]
fn a_configuration_as_json_is_checked_at_once() {
    let as_text = Market::builder().config_json("shop", r#"{ "discount": 51 }"#);
    let as_value = Market::builder().config_value(&json!({ "shop": { "discount": 51 } }));
    for refused in [as_text, as_value] {
        assert_eq!(
            refused.err().unwrap().to_string(),
            "`shop.discount`: 51 is out of range, expected 0..=50"
        );
    }
    let mut street = street::Street::new();
    let error = street
        .mounted_mut()
        .mount::<Shop>(&json!({ "shelves": [0] }))
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "the options of `shop` are wrong: `shop.shelves[0]`: 0 is out of range, expected 1.."
    );
}

fn invalid() -> ShopConfig {
    ShopConfig {
        discount: 60,
        shelves: Vec::new(),
    }
}

const INVALID: &str = "2 problems\n  `shop.discount`: 60 is out of range, expected 0..=50\n  `shop.shelves`: the length 0 is out of \
                       range, expected 1..";

#[test]
fn a_typed_configuration_is_checked_when_the_agent_is_built() {
    let built = Market::builder().config::<Shop>(invalid()).build();
    assert_eq!(built.unwrap_err().to_string(), INVALID);
    let valid = ShopConfig::default();
    let market = Market::builder().config::<Shop>(valid).build().unwrap();
    assert_eq!(market.state(), Market::new().state());
}
