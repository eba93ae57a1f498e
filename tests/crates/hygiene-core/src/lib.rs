//! A skill library whose only dependency is `skill-core`, which re-exports serde and schemars. There is no prelude and every
//! warning is an error, so generated code has to import all names itself.
#![no_implicit_prelude]
#![deny(warnings, missing_docs)]

pub mod with_document;

use ::skill_core::schemars::JsonSchema;
use ::skill_core::serde::{Deserialize, Serialize};
use ::skill_core::serde_json::json;
use ::skill_core::{
    Agent, Context, Hooks, Instruction, Resources, Signal, Skill, SkillConfig, action, agent,
};
use ::std::borrow::ToOwned;
use ::std::clone::Clone;
use ::std::collections::BTreeMap;
use ::std::convert::{From as _, Into}; // `From` for the derive of schemars
use ::std::default::Default;
use ::std::iter::{IntoIterator, Iterator};
use ::std::marker::{Send, Sync};
use ::std::option::Option::{self, None, Some};
use ::std::result::Result::{self, Err, Ok};
use ::std::string::String;
use ::std::vec::Vec;

/// What is on the shelves.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "::skill_core::serde")]
#[schemars(crate = "::skill_core::schemars")]
#[skill(
    name = "stock",
    title = "Stock",
    state_key = "shelves",
    category = "shop",
    version = "1.4.0",
    tags("goods", "shop"),
    signals("stock.**", "till.*"),
    config = StockConfig,
    instructions = "Look before you promise.",
    actions(Put, Take, Count, Inventory, Empty, Reorder),
    hooks
)]
pub struct Stock {
    /// How many there are of each.
    #[skill(default)]
    pub items: BTreeMap<String, u32>,
    /// The most there may be of one.
    #[skill(from_config)]
    pub most: u32,
    /// How the shelves are lit.
    #[skill(default = 0.5)]
    pub light: f64,
}

impl Hooks for Stock {}

/// What an agent may set.
#[derive(SkillConfig, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "::skill_core::serde")]
#[schemars(crate = "::skill_core::schemars")]
pub struct StockConfig {
    /// The most there may be of one.
    #[skill(default = 10)]
    pub most: u32,
}

/// How much there is of something.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "::skill_core::serde", rename_all = "snake_case")]
#[schemars(crate = "::skill_core::schemars")]
pub enum Level {
    /// Nothing.
    Gone,
    /// Some.
    There {
        /// So many.
        count: u32,
    },
}

/// There was not enough room, or not enough to take.
#[derive(Clone, Debug, PartialEq)]
pub struct NotPossible(pub String);

impl ::std::fmt::Display for NotPossible {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl ::std::error::Error for NotPossible {}

/// Put something on the shelf.
#[action(
    name = "put-in",
    title = "Put in",
    type = Put,
    derive(Clone, Debug, PartialEq),
    on("stock.put", "stock.*.put", priority = -5),
    idempotent,
    open_world
)]
pub fn put_it(
    stock: &mut Stock,
    cx: &mut Context<Stock>,
    /// What it is.
    #[arg(pattern("^[a-z ]+$"), length(1..=20), example = "tea".to_owned())]
    item: String,
    /// How many.
    #[arg(default = 1, range(1..=100), rename = "how_many", example = 2, example = 3)]
    count: u32,
    #[arg(default)] note: Option<String>,
) -> Result<u32, NotPossible> {
    let there = stock.items.entry(item.clone()).or_default();
    *there += count;
    if *there > cx.config().most {
        return Err(NotPossible("the shelf is full".to_owned()));
    }
    cx.emit(Signal::new(
        "stock.changed",
        json!({ "item": item, "note": note }),
    ));
    cx.run(Instruction::new("count", json!({ "item": item })));
    Ok(*there)
}

/// Take something from the shelf.
#[action(destructive)]
pub fn take(
    stock: &mut Stock,
    #[serde(alias = "what")] item: String,
    #[arg(range(1..), default = 1)] count: u32,
) -> Result<Level, NotPossible> {
    let Some(there) = stock.items.get_mut(&item) else {
        return Err(NotPossible("there is none".to_owned()));
    };
    *there = there.saturating_sub(count);
    Ok(level(*there))
}

fn level(count: u32) -> Level {
    match count {
        0 => Level::Gone,
        count => Level::There { count },
    }
}

/// Say how many there are.
#[action(read_only)]
pub fn count(stock: &Stock, item: String) -> Level {
    level(stock.items.get(&item).copied().unwrap_or_default())
}

/// Say what there is.
#[action]
pub fn inventory(stock: &Stock) -> Vec<(String, u32)> {
    stock.items.clone().into_iter().collect()
}

/// Throw everything away.
#[action(internal)]
pub fn empty(stock: &mut Stock) {
    stock.items.clear();
}

/// Where goods come from.
pub trait Supplier: Send + Sync {
    /// How many it sends.
    fn send(&self, item: &str) -> u32;
}

/// What a server of the shop is given.
#[derive(Resources)]
pub struct Suppliers {
    /// Where goods come from.
    pub supplier: ::std::boxed::Box<dyn Supplier>,
    /// The least that is ordered.
    pub least: u32,
    /// Not a resource.
    #[resources(skip)]
    pub most: u32,
}

/// Order something anew.
#[action(open_world)]
pub async fn reorder(
    stock: &Stock,
    cx: &mut Context<Stock>,
    supplier: &dyn Supplier,
    item: String,
    least: &Suppliers,
) -> Result<u32, NotPossible> {
    let count = ::std::future::ready(supplier.send(&item)).await;
    if count < least.least || stock.items.is_empty() {
        return Err(NotPossible("nobody sends so little".to_owned()));
    }
    cx.then(Put {
        item,
        count,
        note: None,
    });
    Ok(count)
}

impl ::skill_core::Provide<Suppliers> for Suppliers {
    fn provide(&self) -> &Suppliers {
        self
    }
}

agent! {
    /// Sells what is on the shelves.
    #[derive(Debug, PartialEq)]
    pub struct Shop {
        name: "shop",
        version: "0.1.0",
        category: "trade",
        tags: ["goods"],
        state: {
            /// Whether it is open.
            open: bool = true,
            /// How often it was opened.
            #[serde(rename = "openings")]
            opened: u32,
            /// Who owns it.
            owner: Option<String> = None,
        },
        config: ShopConfig { rent: 500 },
        skills: [Stock { most: 5 }, Stock as cellar],
        actions: [Open],
    }
}

/// What the shop is told.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "::skill_core::serde")]
#[schemars(crate = "::skill_core::schemars")]
pub struct ShopConfig {
    /// What the landlord gets.
    pub rent: u32,
}

/// Open the shop.
#[action]
pub fn open(shop: &mut ShopBase, cx: &mut Context<ShopBase>) -> u32 {
    shop.opened += 1;
    shop.open = cx.config().rent > 0;
    shop.opened
}

/// A shop that has something to sell.
pub fn stocked() -> Shop {
    let mut shop = Shop::new();
    let put = Put {
        item: "tea".into(),
        count: 3,
        note: None,
    };
    if shop.cmd(put).is_err() {
        shop = Shop::default();
    }
    shop
}
