//! A skill library that depends only on `skill-core`. Compiled without the implicit prelude and with warnings denied, to check
//! that generated code uses full paths and causes no warnings.
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

/// The stock of a shop.
#[derive(Skill, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    instructions = "Look with `{Inventory}` before you promise.",
    actions(Put, Take, Count, Inventory, Empty, Reorder),
    hooks
)]
pub struct Stock {
    /// The count of each item.
    #[skill(default)]
    pub items: BTreeMap<String, u32>,
    /// The maximum count of one item.
    #[skill(from_config)]
    pub max: u32,
    /// The brightness of the light, from 0 to 1.
    #[skill(default = 0.5)]
    pub light: f64,
    /// The code of the door.
    #[skill(from_config, secret)]
    pub code: u32,
}

impl Hooks for Stock {}

/// The configuration of [`Stock`].
#[derive(SkillConfig, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "::skill_core::serde")]
#[schemars(crate = "::skill_core::schemars")]
pub struct StockConfig {
    /// The maximum count of one item.
    #[skill(default = 10)]
    pub max: u32,
    /// The code of the door.
    #[skill(secret)]
    pub code: u32,
}

/// The stock of one item.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "::skill_core::serde", rename_all = "snake_case")]
#[schemars(crate = "::skill_core::schemars")]
pub enum Level {
    /// There is nothing left.
    Gone,
    /// There is something left.
    There {
        /// The count.
        count: u32,
    },
}

/// The error of an action that cannot be done, as a sentence.
#[derive(Clone, Debug, PartialEq)]
pub struct NotPossible(pub String);

impl ::std::fmt::Display for NotPossible {
    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl ::std::error::Error for NotPossible {}

/// Put items into the stock.
#[action(
    name = "put-in",
    title = "Put in",
    type = Put,
    derive(Clone, Debug, PartialEq),
    on("stock.put", "stock.*.put", priority = -5),
    open_world
)]
pub fn put_it(
    stock: &mut Stock,
    cx: &mut Context<Stock>,
    /// The item.
    #[arg(pattern("^[a-z ]+$"), length(1..=20), example = "tea".to_owned())]
    item: String,
    /// The count to add.
    #[arg(default = 1, range(1..=100), rename = "how_many", example = 2, example = 3)]
    count: u32,
    #[arg(default)] note: Option<String>,
) -> Result<u32, NotPossible> {
    let there = stock.items.entry(item.clone()).or_default();
    *there += count;
    if *there > cx.config().max {
        return Err(NotPossible("the shelf is full".to_owned()));
    }
    cx.emit(Signal::new(
        "stock.changed",
        json!({ "item": item, "note": note }),
    ));
    cx.run(Instruction::new("count", json!({ "item": item })));
    Ok(*there)
}

/// Take items from the stock.
#[action(destructive)]
pub fn take(
    stock: &mut Stock,
    #[serde(alias = "what")] item: String,
    #[arg(range(1..), default = 1)] count: u32,
) -> Result<Level, NotPossible> {
    let Some(there) = stock.items.get_mut(&item) else {
        return Err(NotPossible("the item is not in stock".to_owned()));
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

/// Return the stock of an item.
#[action(read_only)]
pub fn count(stock: &Stock, item: String) -> Level {
    level(stock.items.get(&item).copied().unwrap_or_default())
}

/// List the items and their counts.
#[action]
pub fn inventory(stock: &Stock) -> Vec<(String, u32)> {
    stock.items.clone().into_iter().collect()
}

/// Remove all items.
#[action(internal, idempotent)]
pub fn empty(stock: &mut Stock) {
    stock.items.clear();
}

/// A supplier of goods.
pub trait Supplier: Send + Sync {
    /// Returns the count of the item that was sent.
    fn send(&self, item: &str) -> u32;
}

/// The resources of a server of the shop.
#[derive(Resources)]
pub struct Suppliers {
    /// The supplier.
    pub supplier: ::std::boxed::Box<dyn Supplier>,
    /// The minimum count of an order.
    pub min: u32,
    /// Not a resource.
    #[resources(skip)]
    pub max: u32,
}

/// Order more of an item.
#[action(open_world)]
pub async fn reorder(
    stock: &Stock,
    cx: &mut Context<Stock>,
    supplier: &dyn Supplier,
    item: String,
    suppliers: &Suppliers,
) -> Result<u32, NotPossible> {
    let count = ::std::future::ready(supplier.send(&item)).await;
    if count < suppliers.min || stock.items.is_empty() {
        return Err(NotPossible("the order is too small".to_owned()));
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
    /// Sells the stock.
    #[derive(Debug, PartialEq)]
    pub struct Shop {
        name: "shop",
        version: "0.1.0",
        category: "trade",
        tags: ["goods"],
        state: {
            /// Whether the shop is open.
            open: bool = true,
            /// The number of times the shop was opened.
            #[serde(rename = "openings")]
            opened: u32,
            /// The name of the owner.
            owner: Option<String> = None,
        },
        config: ShopConfig { rent: 500 },
        skills: [Stock { max: 5 }, Stock as cellar],
        actions: [Open],
    }
}

/// The configuration of the shop.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "::skill_core::serde")]
#[schemars(crate = "::skill_core::schemars")]
pub struct ShopConfig {
    /// The rent that the shop pays.
    pub rent: u32,
}

/// Open the shop.
#[action]
pub fn open(shop: &mut ShopBase, cx: &mut Context<ShopBase>) -> u32 {
    shop.opened += 1;
    shop.open = cx.config().rent > 0;
    shop.opened
}

/// Returns a shop with three teas in stock.
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
