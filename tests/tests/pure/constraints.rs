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

mod literals {
    use super::*;

    /// The greatest load.
    pub const MOST: f64 = 1.5;

    /// A shelf.
    #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "shelf", config = ShelfConfig)]
    pub struct Shelf {}

    /// Configuration of the shelf.
    #[derive(SkillConfig, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    pub struct ShelfConfig {
        #[schemars(range(min = 1, max = 5))]
        pub boards: u8,
        #[schemars(range(min = -0.5, max = MOST))]
        pub load: f64,
        #[schemars(length(equal = 2))]
        pub label: Option<String>,
        #[schemars(length(max = 2), inner(length(min = 1)))]
        pub tags: Vec<String>,
        #[serde(with = "percent")]
        #[schemars(with = "u8", range(max = 100))]
        pub fill: u32,
    }

    /// A fill in thousandths, written in percent.
    mod percent {
        use super::*;

        pub fn serialize<S: serde::Serializer>(fill: &u32, to: S) -> Result<S::Ok, S::Error> {
            to.serialize_u32(fill / 10)
        }

        pub fn deserialize<'de, D: serde::Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
            u32::deserialize(from).map(|percent| percent * 10)
        }
    }

    /// A shelf whose configuration has no derive.
    #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "plain_shelf", config = PlainConfig)]
    pub struct PlainShelf {}

    /// Configuration without the derive.
    #[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    pub struct PlainConfig {
        #[schemars(range(max = 5))]
        pub boards: u8,
    }

    agent! {
        /// Has a shelf with values at the ends of their ranges.
        pub struct Library {
            name: "library",
            skills: [
                Shelf {
                    boards: 1,
                    load: -0.5,
                    label: Some("ab".into()),
                    tags: vec!["a".to_owned(), String::from("b")],
                    fill: 1000,
                },
                Shelf as other { boards: 5, load: 1.5, label: None, fill: 0 },
            ],
        }
    }

    agent! {
        /// Has a shelf with too many boards.
        pub struct Attic {
            name: "attic",
            skills: [PlainShelf { boards: 6 }],
        }
    }
}

#[test]
fn literals_at_the_ends_of_a_range_compile_and_are_valid() {
    use literals::{Library, Shelf};
    let library = Library::builder().build().unwrap();
    assert_eq!(library.config::<Shelf>().boards, 1);
}

#[test]
fn the_literals_of_a_configuration_without_the_derive_are_checked_by_build() {
    let error = literals::Attic::builder().build().err().unwrap();
    assert_eq!(
        error.to_string(),
        "`plain_shelf.boards`: 6 is out of range, expected 0..=5"
    );
}
