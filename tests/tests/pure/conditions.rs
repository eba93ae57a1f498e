//! Conditions of actions: `#[action(when = …)]`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use skill_agent::prelude::*;
use skill_agent::{ActionSpec, CallError, Directive, Mounted};
use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Keeps what a customer wants to buy.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "cart", actions(Put, Checkout, Reserve, Weigh, Forget, Burst))]
pub struct Cart {
    pub items: Vec<String>,
    pub reserved: bool,
}

fn not_empty(cart: &Cart) -> Result<(), &'static str> {
    if cart.items.is_empty() {
        return Err("the cart is empty");
    }
    Ok(())
}

impl Cart {
    fn not_reserved(&self) -> Result<(), String> {
        if self.reserved {
            return Err(format!("{} items are reserved already", self.items.len()));
        }
        Ok(())
    }
}

mod weights {
    use super::{Cart, Cow};

    pub(super) fn known(cart: &Cart) -> Result<(), Cow<'static, str>> {
        match cart.items.iter().find(|item| item.is_empty()) {
            Some(_) => Err("an item has no name".into()),
            None => Ok(()),
        }
    }
}

fn bursts(_: &Cart) -> Result<(), String> {
    panic!("the condition bursts")
}

/// Put an item into the cart.
#[action]
pub fn put(cart: &mut Cart, item: String) {
    cart.items.push(item);
}

/// Buy what is in the cart.
#[action(when = not_empty)]
pub fn checkout(cart: &mut Cart) -> usize {
    std::mem::take(&mut cart.items).len()
}

/// Reserve the items.
#[action(when = Cart::not_reserved)]
pub fn reserve(cart: &mut Cart, cx: &mut Context<Cart>) {
    cart.reserved = true;
    cx.emit(Signal::new("cart.reserved", json!({})));
}

/// Weigh the items.
#[action(when = self::weights::known)]
pub fn weigh(cart: &Cart) -> usize {
    cart.items.len()
}

/// Delivers items.
#[derive(Skill, Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "courier", actions(Load, Deliver))]
pub struct Courier {
    pub loaded: bool,
}

fn is_loaded(courier: &Courier) -> Result<(), &'static str> {
    courier.loaded.then_some(()).ok_or("nothing is loaded")
}

/// Load the items.
#[action]
pub fn load(courier: &mut Courier) {
    courier.loaded = true;
}

/// Deliver the items.
#[action(when = is_loaded)]
pub async fn deliver(_: &Courier) {}

/// Forget the items.
#[action(internal, when = not_empty)]
pub fn forget(cart: &mut Cart) {
    cart.items.clear();
}

/// Is never called.
#[action(when = bursts)]
pub fn burst(cart: &mut Cart) {
    cart.items.clear();
}

agent! {
    #[derive(Debug, PartialEq)]
    pub struct Shop {
        name: "shop",
        skills: [Cart, Cart as wishes, Courier],
    }
}

agent! {
    #[derive(Debug, PartialEq)]
    pub struct Mall {
        name: "mall",
        mounted: [Cart],
    }
}

const EMPTY: &str = "`checkout` cannot be called now: the cart is empty";

#[test]
fn a_call_by_name_is_refused_with_the_reason_and_changes_nothing() {
    let mut shop = Shop::new();
    let before = shop.clone();
    let error = shop.call_json("checkout", "{}").unwrap_err();
    assert_eq!(error.to_string(), EMPTY);
    let CallError::NotNow { action, reason, .. } = error else {
        panic!("{error:?}");
    };
    assert_eq!((action, &*reason), ("checkout", "the cart is empty"));
    assert!(matches!(reason, Cow::Borrowed(_)));
    let stamp = Stamp::new(std::time::SystemTime::UNIX_EPOCH, "1".to_owned());
    let error = shop.call_json_stamped(&stamp, "checkout", "{}");
    assert_eq!(error.unwrap_err().to_string(), EMPTY);
    assert_eq!(shop, before);

    shop.call_json("put", r#"{"item":"tea"}"#).unwrap();
    assert_eq!(shop.call_json("checkout", "{}").unwrap().output, "1");
    assert_eq!(
        shop.call_json("checkout", "{}").unwrap_err().to_string(),
        EMPTY
    );
}

#[test]
fn the_condition_comes_before_the_arguments() {
    let error = Shop::new().call_json("checkout", "no JSON").unwrap_err();
    assert_eq!(error.to_string(), EMPTY);
    let mut shop = Shop::new();
    shop.call_json("put", r#"{"item":"tea"}"#).unwrap();
    let error = shop.call_json("checkout", "no JSON").unwrap_err();
    assert!(matches!(error, CallError::Arguments { .. }), "{error}");
}

#[test]
fn typed_calls_and_runs_are_not_checked() {
    let mut shop = Shop::new();
    let Ok(bought) = shop.cmd(Checkout {});
    assert_eq!(bought.output, 0);
    let Ok(bought) = shop.wishes().cmd(Checkout {});
    assert_eq!(bought.output, 0);
    let instructions = ["checkout", "wishes_checkout", "forget"];
    let instructions = instructions.map(|action| Instruction::new(action, json!({})));
    let outputs = shop.run(&instructions).unwrap().output;
    assert_eq!(outputs, [json!(0), json!(0), Value::Null]);
}

#[test]
fn each_instance_is_checked_on_its_own_state() {
    let mut shop = Shop::new();
    shop.call_json("wishes_put", r#"{"item":"tea"}"#).unwrap();
    assert_eq!(
        shop.call_json("checkout", "{}").unwrap_err().to_string(),
        EMPTY
    );
    assert_eq!(shop.call_json("wishes_checkout", "{}").unwrap().output, "1");
    assert_eq!(
        shop.call_json("wishes_checkout", "{}")
            .unwrap_err()
            .to_string(),
        "`wishes_checkout` cannot be called now: the cart is empty"
    );
}

#[test]
fn a_condition_is_a_function_a_method_or_a_path() {
    let mut shop = Shop::new();
    shop.call_json("put", r#"{"item":""}"#).unwrap();
    assert_eq!(
        shop.call_json("weigh", "{}").unwrap_err().to_string(),
        "`weigh` cannot be called now: an item has no name"
    );
    let reserved = shop.call_json("reserve", "{}").unwrap();
    assert!(matches!(reserved.directives[..], [Directive::Emit(_)]));
    assert_eq!(
        shop.call_json("reserve", "{}").unwrap_err().to_string(),
        "`reserve` cannot be called now: 1 items are reserved already"
    );
}

#[test]
fn an_internal_action_stays_internal_and_an_async_one_needs_a_server() {
    let mut shop = Shop::new();
    let error = shop.call_json("forget", "{}").unwrap_err();
    assert!(matches!(error, CallError::Internal { .. }), "{error}");
    let error = shop.call_json("deliver", "{}").unwrap_err();
    assert!(matches!(error, CallError::NotNow { .. }), "{error}");
    shop.call_json("load", "{}").unwrap();
    let error = shop.call_json("deliver", "{}").unwrap_err();
    assert!(matches!(error, CallError::NeedsServer { .. }), "{error}");
}

#[test]
fn an_action_of_a_mounted_skill_is_checked() {
    let mut mall = Mall::new();
    mall.mounted_mut().mount::<Cart>(&json!({})).unwrap();
    let error = mall.call_json("checkout", "{}").unwrap_err();
    assert_eq!(error.to_string(), EMPTY);
    mall.call_json("put", r#"{"item":"tea"}"#).unwrap();
    assert_eq!(mall.call_json("checkout", "{}").unwrap().output, "1");
    let checkout = Instruction::new("checkout", json!({}));
    assert_eq!(mall.run(&[checkout]).unwrap().output, [json!(0)]);
}

#[test]
fn mounted_skills_without_an_agent_are_checked() {
    let mut mounted = Mounted::new();
    mounted.mount::<Cart>(&json!({})).unwrap();
    let error = mounted.call_json("checkout", "{}").unwrap_err();
    assert_eq!(error.to_string(), EMPTY);
    mounted.call_json("put", r#"{"item":"tea"}"#).unwrap();
    assert_eq!(mounted.call_json("checkout", "{}").unwrap().output, "1");
}

#[test]
fn a_panic_of_a_condition_leaves_the_agent_usable() {
    let mut shop = Shop::new();
    shop.call_json("put", r#"{"item":"tea"}"#).unwrap();
    let before = shop.clone();
    let caught = catch_unwind(AssertUnwindSafe(|| shop.call_json("burst", "{}").is_ok()));
    assert!(caught.is_err());
    assert_eq!(shop, before);
    let Ok(_) = shop.cmd(Burst {});
    assert!(shop.state().cart.items.is_empty());
}

#[test]
fn the_spec_and_the_description_say_that_an_action_has_a_condition() {
    let specs = [Checkout::SPEC, Deliver::SPEC, Put::SPEC];
    let conditional = specs.map(|spec: ActionSpec| spec.conditional);
    assert_eq!(conditional, [true, true, false]);
    let described = Shop::describe();
    let actions = described["actions"].as_array().unwrap().iter();
    let conditional = actions.filter(|action| action["conditional"] == true);
    let names: Vec<_> = conditional
        .map(|action| action["name"].as_str().unwrap())
        .filter(|name| !name.starts_with("wishes_"))
        .collect();
    assert_eq!(
        names,
        ["checkout", "reserve", "weigh", "forget", "burst", "deliver"]
    );
}
