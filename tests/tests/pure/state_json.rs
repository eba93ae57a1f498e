//! The state as JSON: it comes back as it was, and a part of it is merged into the rest.

use crate::common::json_mutation::cases;
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;
use std::collections::BTreeMap;

/// A shop.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "shop", config = ShopConfig, actions(Sell))]
pub struct Shop {
    #[skill(default = BTreeMap::from([("ink".to_owned(), 1), ("pen".to_owned(), 3)]))]
    pub stock: BTreeMap<String, u32>,
    /// In percent.
    #[skill(from_config)]
    pub discount: u32,
    /// The largest order; without a limit if it is absent.
    #[skill(from_config)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    #[skill(default = vec![Shelf::default()])]
    pub shelves: Vec<Shelf>,
    #[skill(default = Shelf { width: 80, labels: BTreeMap::from([("a".to_owned(), "A".to_owned())]) })]
    pub window: Shelf,
}

/// A shelf.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Shelf {
    pub width: u32,
    pub labels: BTreeMap<String, String>,
}

/// Configuration of the shop.
#[derive(SkillConfig, Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ShopConfig {
    #[skill(default = 10)]
    pub discount: u32,
    #[skill(default = None)]
    pub limit: Option<u32>,
    #[skill(default = BTreeMap::from([("pen".to_owned(), 1)]))]
    pub prices: BTreeMap<String, u32>,
}

/// Sell all of an item.
#[action]
pub fn sell(shop: &mut Shop, item: String) -> Option<u32> {
    shop.stock.remove(&item)
}

/// Everything of serde that differs between writing and reading, in forms that are read back.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all(serialize = "camelCase", deserialize = "camelCase"))]
#[skill(name = "ledger")]
pub struct Ledger {
    // serde reads an `Option` that is missing as `None`
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_entry: Option<u32>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub all_entries: Vec<u32>,
    #[serde(rename = "sum", alias = "total")]
    pub total: u32,
    #[serde(rename(serialize = "opened", deserialize = "opened"))]
    pub opened_by: String,
    /// Unknown, known to be nothing, or a number.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "known"
    )]
    pub balance: Option<Option<i32>>,
}

fn known<'de, D: serde::Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Option<i32>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

agent! {
    #[derive(Debug, PartialEq)]
    pub struct Office {
        name: "office",
        skills: [Ledger],
    }
}

/// Counts visitors.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter")]
pub struct Counter {
    #[skill(default = BTreeMap::from([("door".to_owned(), 0)]))]
    pub by_place: BTreeMap<String, u32>,
    #[skill(default = 1)]
    pub step: u32,
}

agent! {
    #[derive(Debug, PartialEq)]
    pub struct Market {
        name: "market",
        state: {
            open: bool = true,
            stalls: BTreeMap<String, u32> = BTreeMap::from([("north".to_owned(), 1)]),
            sign: Shelf = Shelf { width: 9, ..Shelf::default() },
            banner: Option<Shelf> = Some(Shelf::default()),
        },
        skills: [Shop, Shop as annex { limit: Some(5) }],
        mounted: [Counter],
    }
}

#[test]
fn a_saved_state_comes_back_as_it_was() {
    let mut market = Market::new();
    assert_eq!(
        market.cmd(Sell { item: "pen".into() }).unwrap().output,
        Some(3)
    );
    let saved: String = market.state_json().unwrap();
    let restored = Market::from_state_json(&saved).unwrap();
    assert_eq!(restored.state().shop, market.state().shop); // the pens are gone here too
}

#[test]
fn a_part_of_a_state_is_laid_over_the_rest() {
    let mut market = Market::new();
    market.set(&json!({ "shop": { "discount": 20 } })).unwrap();
    assert_eq!(
        (
            market.state().shop.discount,
            market.state().shop.stock.len()
        ),
        (20, 2)
    );
    // a merge patch (RFC 7396): structs and maps merge, null takes an entry out, the rest is replaced
    market
        .set(&json!({ "shop": { "stock": { "cap": 5, "pen": null } } }))
        .unwrap();
    let stock = BTreeMap::from([("cap".to_owned(), 5), ("ink".to_owned(), 1)]);
    assert_eq!(market.state().shop.stock, stock);
    // a whole state replaces what is there
    let fresh = Market::new();
    market
        .replace_state_json(&fresh.state_json().unwrap())
        .unwrap();
    assert_eq!(market.state().shop, fresh.state().shop);
}

#[test]
fn what_a_whole_state_lacks_is_as_in_a_new_agent_with_the_same_configuration() {
    let config = json!({ "shop": { "discount": 33 } });
    let builder = Market::builder().config_value(&config).unwrap();
    let mut market = builder.id("market 7").build().unwrap();
    let patch = json!({ "open": false, "shop": { "discount": 1, "window": { "width": 2 } } });
    market.set(&patch).unwrap();

    let document =
        r#"{"stalls":{},"sign":{"labels":{"a":"b"}},"shop":{"stock":{},"window":{"labels":{}}}}"#;
    market.replace_state_json(document).unwrap();
    let state = market.state();
    assert_eq!((state.open, state.stalls.len()), (true, 0));
    assert_eq!((state.sign.width, state.sign.labels.len()), (9, 1));
    assert_eq!((state.shop.discount, state.shop.stock.len()), (33, 0));
    assert_eq!(
        (state.shop.window.width, state.shop.window.labels.len()),
        (80, 0)
    );
    assert_eq!(state.shop.shelves.len(), 1);
    assert_eq!(market.id(), Some("market 7"));
    assert_eq!(market.config::<Shop>().discount, 33);

    market.replace_state_json("{}").unwrap();
    assert_eq!(market.state().shop.stock.len(), 2);
    let new = Market::builder()
        .config_value(&config)
        .unwrap()
        .build()
        .unwrap();
    assert_eq!(market.state(), new.state());
}

#[test]
fn a_field_that_is_left_out_when_it_is_written_is_not_that_of_the_configuration() {
    let mut market = Market::new();
    assert_eq!(market.state().annex.limit, Some(5));
    market.set(&json!({ "annex": { "limit": null } })).unwrap();
    assert_eq!(market.state().annex.limit, None);
    let saved = market.state_json().unwrap();
    assert_eq!(Market::from_state_json(&saved).unwrap(), market);
    // the skill is absent as a whole, so that its state is new
    let part = Market::from_state_json(r#"{"shop":{}}"#).unwrap();
    assert_eq!(part.state().annex.limit, Some(5));
}

#[test]
fn null_is_a_value_at_a_base_field_and_removes_an_entry_of_a_map() {
    let mut market = Market::new();
    let patch = json!({ "banner": null, "stalls": { "north": null, "south": 2 } });
    market.set(&patch).unwrap();
    let state = market.state();
    assert_eq!(state.banner, None);
    assert_eq!(state.stalls, BTreeMap::from([("south".to_owned(), 2)]));
    for field in ["open", "stalls", "sign", "shop", "nonsense"] {
        let problems = market.set(&json!({ field: null })).unwrap_err();
        assert_eq!(problems.problems()[0].path, field);
    }
}

#[test]
fn a_configuration_is_merged_and_null_is_a_value_in_it() {
    let config = json!({ "annex": { "limit": null } });
    let market = Market::builder()
        .config_value(&config)
        .unwrap()
        .build()
        .unwrap();
    assert_eq!(market.state().annex.limit, None);
    let config = json!({ "shop": { "prices": { "ink": 2 } } });
    let market = Market::builder()
        .config_value(&config)
        .unwrap()
        .build()
        .unwrap();
    assert_eq!(market.config::<Shop>().prices.len(), 2);
    let config = json!({ "shop": { "prices": { "pen": null } } });
    let error = Market::builder().config_value(&config).map(drop);
    assert_eq!(error.unwrap_err().problems()[0].path, "shop.prices.pen");
}

#[test]
fn a_refused_state_changes_nothing_and_every_problem_has_its_path() {
    let mut market = Market::new();
    market.set(&json!({ "shop": { "discount": 20 } })).unwrap();
    let before = market.clone();
    let document = json!({
        "open": "yes",
        "sign": null,
        "shop": { "stock": { "pen": null }, "widnow": {}, "shelves": [{ "width": -1 }] },
        "annex": [],
        "skills": { "counter": { "step": "one" }, "conter": {} },
        "shp": {},
    });
    let mut paths: Vec<String> = market
        .replace_state_json(&document.to_string())
        .unwrap_err()
        .into_problems()
        .into_iter()
        .map(|problem| problem.path)
        .collect();
    paths.sort_unstable();
    assert_eq!(
        paths,
        [
            "annex",
            "open",
            "shop.shelves[0].width",
            "shop.stock.pen",
            "shop.widnow",
            "shp",
            "sign",
            "skills.conter",
            "skills.counter.step",
        ]
    );
    assert_eq!(market, before);
    assert!(
        market
            .replace_state_json(r#"{"shop":{},"shop":{}}"#)
            .is_err()
    );
    assert_eq!(market, before);
}

#[test]
fn mounted_skills_are_replaced_as_a_whole() {
    let mut market = Market::new();
    let options = json!({});
    market.mounted_mut().mount::<Counter>(&options).unwrap();
    let patch =
        json!({ "skills": { "counter": { "by_place": { "door": null, "gate": 4 }, "step": 2 } } });
    market.set(&patch).unwrap();
    let saved = market.state_json().unwrap();
    assert_eq!(Market::from_state_json(&saved).unwrap(), market);

    let part = r#"{"skills":{"counter":{"by_place":{}}}}"#;
    market.replace_state_json(part).unwrap();
    let counter = market.mounted().state::<Counter>().unwrap();
    assert_eq!((counter.by_place.len(), counter.step), (0, 1));
    market.replace_state_json(r#"{"open":false}"#).unwrap();
    assert_eq!(market.mounted().len(), 0);
    market.replace_state_json(&saved).unwrap();
    assert_eq!(market.state_json().unwrap(), saved);
}

#[test]
fn a_state_that_leaves_fields_out_and_renames_them_is_read_back() {
    for (last_entry, all_entries, balance) in [
        (None, vec![], None),
        (Some(1), vec![1, 2], Some(None)),
        (None, vec![3], Some(Some(-4))),
    ] {
        let mut office = Office::new();
        office.__parts_mut().0.ledger = Ledger {
            last_entry,
            all_entries,
            total: 7,
            opened_by: "ada".to_owned(),
            balance,
        };
        let saved = office.state_json().unwrap();
        assert!(saved.contains(r#""sum":7"#), "{saved}");
        assert_eq!(Office::from_state_json(&saved).unwrap(), office, "{saved}");
    }
    let old = Office::from_state_json(r#"{"ledger":{"total":7,"balance":null}}"#).unwrap();
    assert_eq!(
        (old.state().ledger.total, old.state().ledger.balance),
        (7, Some(None))
    );
    let mut office = Office::new();
    let patch = json!({ "ledger": { "total": 8, "balance": 2, "lastEntry": null } });
    office.set(&patch).unwrap();
    assert_eq!(
        (office.state().ledger.total, office.state().ledger.balance),
        (8, Some(Some(2)))
    );
}

fn any_shelf() -> impl Strategy<Value = Shelf> {
    let labels = btree_map("[a-c]", "[a-c]{0,2}", 0..3);
    (any::<u32>(), labels).prop_map(|(width, labels)| Shelf { width, labels })
}

fn any_shop() -> impl Strategy<Value = Shop> {
    let stock = btree_map(
        prop_oneof![Just("ink".to_owned()), Just("pen".to_owned()), "[a-c]"],
        any::<u32>(),
        0..4,
    );
    let limit = prop::option::of(any::<u32>());
    (
        stock,
        any::<u32>(),
        limit,
        vec(any_shelf(), 0..3),
        any_shelf(),
    )
        .prop_map(|(stock, discount, limit, shelves, window)| Shop {
            stock,
            discount,
            limit,
            shelves,
            window,
        })
}

/// An agent in any state that its commands could lead to.
fn any_market() -> impl Strategy<Value = Market> {
    let stalls = btree_map(
        prop_oneof![Just("north".to_owned()), "[a-c]"],
        any::<u32>(),
        0..3,
    );
    let counter = (
        btree_map(
            prop_oneof![Just("door".to_owned()), "[a-c]"],
            any::<u32>(),
            0..3,
        ),
        any::<u32>(),
    );
    let counter = counter.prop_map(|(by_place, step)| Counter { by_place, step });
    let banner = prop::option::of(any_shelf());
    let base = (any::<bool>(), stalls, any_shelf(), banner);
    let base = base.prop_map(|(open, stalls, sign, banner)| MarketBase {
        open,
        stalls,
        sign,
        banner,
    });
    (any_shop(), any_shop(), base, prop::option::of(counter)).prop_map(
        |(shop, annex, base, counter)| {
            let mut market = Market::new();
            let state = market.__parts_mut().0;
            (state.shop, state.annex, state.base) = (shop, annex, base);
            if let Some(counter) = counter {
                let state = json!({ "counter": counter });
                let removed = json!({ "counter": { "by_place": { "door": null } } });
                market.mounted_mut().set(&removed).unwrap();
                market.mounted_mut().set(&state).unwrap();
            }
            market
        },
    )
}

proptest! {
    #![proptest_config(cases(256))]

    #[test]
    fn every_state_is_read_back_as_it_was(market in any_market(), mut other in any_market()) {
        let saved = market.state_json().unwrap();
        prop_assert_eq!(Market::from_state_json(&saved).unwrap(), market.clone());
        other.replace_state_json(&saved).unwrap();
        prop_assert_eq!(other, market);
    }
}
