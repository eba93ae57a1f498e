//! The state of the skills, and their configurations.

use crate::names::*;
use crate::{Bake, Count, Forget, Linger, Order, Peek, Stamp, Tip};
use ::sa::NoConfig;
use ::sa::prelude::{Hooks, Skill, SkillConfig, action};
use ::schemars::{self, JsonSchema}; // its derive takes the name of the crate as known
use ::serde::{Deserialize, Serialize};
// Names that the derive of schemars takes from the prelude, which therefore cannot have other meanings here.
use ::std::convert::Into as _;
use ::std::default::Default as _;
use ::std::option::Option::Some;

/// The orders of customers.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "orders",
    state_key = "orders",
    title = "Orders",
    category = "food",
    version = "2.0.0-rc.1",
    tags("pizza"),
    signals("orders.**"),
    config = Default,
    instructions = "Ask for the size, then `{Order}`. {{Pizza}} is text.",
    actions(Order, Bake, Peek, Count, Stamp, Forget, Rename, Linger),
    hooks,
    crate = ::sa
)]
pub struct Orders {
    /// The open orders.
    #[skill(default)]
    pub open: ::std::vec::Vec<Option>,
    /// How much is in the oven.
    #[skill(default = 0)]
    pub baking: u32,
    /// How much fits.
    #[skill(from_config)]
    pub places: u32,
    /// Who bakes.
    #[skill(default = String { text: ::std::convert::From::from("Ada") })]
    pub baker: String,
}

impl Hooks for Orders {}

/// Let somebody else bake. (For an attribute of serde's, schemars' derive is generated; it needs the usual `Some`.)
#[action(crate = ::sa)]
pub fn rename(
    orders: &mut Orders,
    #[serde(alias = "who")] by: String,
    #[arg(default, length(..=5))] title: ::std::option::Option<::std::string::String>,
) -> ::std::option::Option<::std::string::String> {
    orders.baker = by;
    title
}

/// The configuration of [`Orders`], under the name of the trait that its derive implements.
#[derive(SkillConfig, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(crate = ::sa)]
pub struct Default {
    /// How much fits into the oven.
    #[skill(default = 2)]
    pub places: u32,
    /// How loud the bell is.
    pub bell: u8,
}

/// The tips of content customers.
#[derive(
    Skill, Clone, ::std::default::Default, Debug, PartialEq, Serialize, Deserialize, JsonSchema,
)]
#[serde(default)]
#[skill(name = "jar", actions(Tip), crate = ::sa)]
pub struct Jar {
    /// How much is in it.
    pub coins: u8,
}

/// A skill without state, configuration and actions.
#[derive(
    Skill, Clone, ::std::default::Default, Debug, PartialEq, Serialize, Deserialize, JsonSchema,
)]
#[skill(name = "idle", config = NoConfig, crate = ::sa)]
pub struct Idle {}

/// The configuration of the bakery.
#[derive(Clone, ::std::default::Default, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct BakeryConfig {
    /// Whether the bell is loud.
    pub loud: bool,
}
