//! An agent with conditions, and a server that a test blocks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use std::sync::{Mutex, mpsc};
use tokio::task::{JoinHandle, spawn_blocking};

/// A cart.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "cart", actions(Put, Checkout))]
pub struct Cart {
    pub items: Vec<String>,
}

fn not_empty(cart: &Cart) -> Result<(), &'static str> {
    if cart.items.is_empty() {
        return Err("the cart is empty");
    }
    Ok(())
}

/// Put an item into the cart.
#[action]
pub fn put(cart: &mut Cart, item: String) -> usize {
    cart.items.push(item);
    cart.items.len()
}

/// Buy what is in the cart.
#[action(destructive, when = not_empty)]
pub fn checkout(cart: &mut Cart) -> usize {
    std::mem::take(&mut cart.items).len()
}

/// Coupons, which can be mounted.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "coupons", actions(Redeem))]
pub struct Coupons {
    pub left: u32,
}

fn some_left(coupons: &Coupons) -> Result<(), String> {
    match coupons.left {
        0 => Err("no coupon is left".to_owned()),
        _ => Ok(()),
    }
}

/// Redeem a coupon.
#[action(when = some_left)]
pub fn redeem(coupons: &mut Coupons) {
    coupons.left -= 1;
}

agent! {
    pub struct Shop {
        name: "shop",
        skills: [Cart],
        mounted: [Coupons],
    }
}

/// A skill whose action blocks its server.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "blocking", actions(Block))]
pub struct Blocking {}

static GATES: Mutex<Vec<(mpsc::Sender<()>, mpsc::Receiver<()>)>> = Mutex::new(Vec::new());

/// Wait until the test goes on.
#[action]
pub fn block(_: &mut Blocking) {
    let (begun, end) = GATES.lock().unwrap().pop().unwrap();
    begun.send(()).unwrap();
    end.recv().unwrap();
}

agent! {
    pub struct Busy {
        name: "busy",
        skills: [Blocking],
    }
}

/// Blocks a server until the sender sends.
pub async fn blocked(busy: &AgentServer<Busy>) -> (mpsc::Sender<()>, JoinHandle<()>) {
    let ((begun, has_begun), (end, ended)) = (mpsc::channel(), mpsc::channel());
    GATES.lock().unwrap().push((begun, ended));
    let server = busy.clone();
    let call = tokio::spawn(async move { server.call(Block {}).await.unwrap() });
    spawn_blocking(move || has_begun.recv())
        .await
        .unwrap()
        .unwrap();
    (end, call)
}

pub async fn shop() -> AgentServer<Shop> {
    AgentServer::builder(Shop::new()).start().await.unwrap()
}
