//! An agent that every provider can express, with as many kinds of arguments as that allows.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// A shop.
#[derive(Skill, Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "shop", actions(Order, FindOrders, Close))]
pub(crate) struct Shop {
    orders: u32,
}

agent! {
    pub(crate) struct ShopAgent {
        name: "shop_agent",
        skills: [Shop],
    }
}

/// How an order is paid.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
pub(crate) enum Payment {
    /// With a card.
    Card { number: String },
    Cash {
        #[serde(default)]
        given: u16,
    },
}

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Size {
    Small,
    Large,
}

/// An item and its number.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
pub(crate) struct Item {
    /// The name of the item.
    name: String,
    count: u32,
    size: Option<Size>,
}

/// Order items.
#[action(title = "Order")]
pub(crate) fn order(
    shop: &mut Shop,
    #[arg(length(1..=20))] items: Vec<Item>,
    payment: Payment,
    /// The day of the delivery.
    #[arg(pattern(r"^\d{4}-\d\d-\d\d$"), example = "2026-01-31".to_owned())]
    day: String,
    #[arg(range(0.0..=0.5), default = 0.1)] tip: f64,
    note: Option<String>,
) -> u32 {
    let _ = (items, payment, day, tip, note);
    shop.orders += 1;
    shop.orders
}

/// Find orders.
#[action(read_only)]
pub(crate) fn find_orders(shop: &Shop, between: (f64, String), most: Option<u8>) -> Vec<Item> {
    let _ = (shop, between, most);
    Vec::new()
}

/// Close the shop.
#[action(destructive)]
pub(crate) fn close(shop: &mut Shop) {
    shop.orders = 0;
}
