//! Skills and an agent that use `skill-agent` under the name `sa`, without a prelude and without warnings. Names in generated
//! code have other meanings here: `Option` is a choice of toppings, `Ok` a stamp.
#![no_implicit_prelude]
#![deny(warnings, missing_docs)]

pub mod documents;
pub mod names;
pub mod state;

/// Not the crate of this name.
pub mod core {}
/// Not the crate of this name.
pub mod schemars {}
/// Not the crate of this name.
pub mod serde {}
/// Not the crate of this name.
pub mod serde_json {}
/// Not the crate of this name.
pub mod skill_agent {}
/// Not the crate of this name.
pub mod skill_core {}
/// Not the crate of this name.
pub mod std {}

use ::sa::manifest::__private::Embedded;
use ::sa::manifest::SkillDoc;
use ::sa::prelude::{
    Context, Directive, Hooks, Instruction, Outcome, Resources, Signal, action, agent,
};
use ::std::clone::Clone as _;
use ::std::cmp::Ord as _;
use ::std::iter::{IntoIterator as _, Iterator as _};
use names::*;
use state::*;

/// Order something.
#[action(
    name = "order",
    title = "Order",
    derive(Clone, Debug, PartialEq),
    on("orders.new", priority = 10),
    on("orders.*.new"),
    crate = ::sa
)]
pub fn order(
    orders: &mut Orders,
    cx: &mut Context<Orders>,
    /// The topping.
    #[arg(example = Option { topping: ::std::convert::From::from("basil") })]
    choice: Option,
    /// How many of them.
    #[arg(default = 1, range(1..=20), rename = "how_many")]
    count: u8,
    #[arg(default = ::std::option::Option::None, length(..=80))] note: ::std::option::Option<
        ::std::string::String,
    >,
    #[arg(default)] express: bool,
) -> ::std::result::Result<Vec, Full> {
    for _ in 0..count {
        orders.open.push(choice.clone());
    }
    if orders.open.len() > 20 || note.is_some() && express {
        return ::std::result::Result::Err(Full {
            open: orders.open.len(),
        });
    }
    let count = orders.open.len();
    cx.emit(Signal::new(
        "orders.taken",
        ::std::convert::From::from(count),
    ));
    ::std::result::Result::Ok(Vec { count })
}

/// There is too much to do.
#[derive(Debug, PartialEq, ::thiserror::Error)]
#[error("{open} are open already")]
pub struct Full {
    /// How many are open.
    pub open: usize,
}

/// Put as much as fits into the oven.
#[action(idempotent, crate = ::sa)]
pub fn bake(
    orders: &mut Orders,
    by: String,
    #[arg(pattern("^[a-z]*$"), default = ::std::convert::From::from("hot"))]
    heat: ::std::string::String,
) -> Result {
    let _ = heat;
    orders.baker = by;
    orders.baking = orders.places.min(orders.open.len() as u32);
    Result {
        baking: orders.baking,
    }
}

/// Look at the first one.
#[action(read_only, crate = ::sa)]
pub fn peek(orders: &Orders) -> ::std::option::Option<Option> {
    orders.open.first().cloned()
}

/// Count what is open.
#[action(type = Count, crate = ::sa)]
pub fn how_many(orders: &Orders, cx: &mut Context<Orders>) -> Vec {
    let _ = cx;
    Vec {
        count: orders.open.len(),
    }
}

/// Stamp a letter with what is at hand.
#[action(open_world, crate = ::sa)]
pub fn stamp(
    orders: &mut Orders,
    some: Some,
    ok: Ok,
    r#type: Clone,
    none: ::std::vec::Vec<None>,
) -> (Some, Ok) {
    let _ = (orders, r#type, none);
    (some, ok)
}

/// Wait for somebody.
#[action(crate = ::sa)]
pub async fn linger(
    orders: &Orders,
    cx: &mut Context<Orders>,
    until: ::std::option::Option<u8>,
    bell: &Clone,
) -> ::std::result::Result<Vec, Full> {
    ::std::future::ready(()).await;
    cx.then(Forget {});
    let (_, _) = (until, bell);
    ::std::result::Result::Ok(Vec {
        count: orders.open.len(),
    })
}

/// Put a coin into the jar.
#[action(crate = ::sa)]
pub fn tip(jar: &mut Jar, coin: u8) -> u8 {
    jar.coins = jar.coins.saturating_add(coin);
    jar.coins
}

/// The resources of a server of the bakery.
#[derive(Resources)]
#[resources(crate = ::sa)]
pub struct Bells {
    /// The bell.
    pub bell: Clone,
}

/// Forget everything.
#[action(internal, destructive, crate = ::sa)]
pub fn forget(orders: &mut Orders) {
    orders.open.clear();
}

agent! {
    /// Bakes.
    #[derive(Debug, PartialEq)]
    pub struct Bakery {
        name: "bakery",
        version: "1.0.0",
        category: "food",
        tags: ["pizza", "bread"],
        state: {
            /// Whether anybody is there.
            open: bool = true,
            /// How often the bell rang.
            #[serde(rename = "bell")]
            rings: u32,
            /// The text of the sign.
            sign: ::std::option::Option<String>,
        },
        config: BakeryConfig { loud: true },
        skills: [Orders { places: 3 }, Orders as catering, Idle],
        actions: [Ring],
        hooks,
        crate: ::sa,
    }
}

impl Hooks for BakeryBase {}

agent! {
    /// Sells what others bake, while they do.
    #[derive(Debug, PartialEq, Eq, Hash)]
    pub struct Stand {
        name: "stand",
        mounted: [#[cfg(any())] Missing, #[cfg(all())] Jar, Idle],
        documents: [#[cfg(any())] MISSING, PRICES, ..SIGNS],
        allow_skills: true,
        crate: ::sa,
    }
}

/// The prices.
pub static PRICES: SkillDoc = Embedded {
    id: "prices",
    requires_tools: &[],
    ..Embedded::EMPTY
}
.doc();

/// The signs.
pub const SIGNS: [SkillDoc; 1] = [Embedded {
    id: "signs",
    ..Embedded::EMPTY
}
.doc()];

agent! {
    /// Reads what is on the signs.
    pub struct Reader {
        name: "reader",
        documents: [..SIGNS],
        crate: ::sa::core,
    }
}

/// Ring the bell.
#[action(crate = ::sa)]
pub fn ring(bakery: &mut BakeryBase, cx: &mut Context<BakeryBase>, times: u32) -> u32 {
    bakery.rings += times;
    if cx.config().loud {
        cx.run(Instruction::new(
            "how_many",
            ::std::convert::From::from(::std::option::Option::<bool>::None),
        ));
    }
    bakery.rings
}

/// The directives of a command, as a type that can be written here too.
pub fn wishes<T>(outcome: Outcome<T>) -> ::std::vec::Vec<Directive> {
    outcome.directives.into_iter().collect()
}
