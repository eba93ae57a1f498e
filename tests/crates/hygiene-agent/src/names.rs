//! The most common names of the prelude, with other meanings.

use ::schemars::{self, JsonSchema}; // its derive takes the name of the crate as known
use ::serde::{Deserialize, Serialize};
use ::std::convert::Into as _; // the derive of schemars leaves it to the prelude

/// How the baking went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Result {
    /// How many are in the oven.
    pub baking: u32,
}

/// A choice of toppings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Option {
    /// The topping.
    pub topping: ::std::string::String,
}

/// A word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct String {
    /// The word.
    pub text: ::std::string::String,
}

/// A count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Vec {
    /// The count.
    pub count: usize,
}

/// A few.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Some(pub u8);

/// A stamp.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Ok(pub bool);

/// Nothing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct None;

/// A copy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Clone {}

/// A mistake.
#[derive(Debug)]
pub struct Err;

/// A parcel.
#[derive(Debug)]
pub struct Box;

/// A shipment.
#[derive(Debug)]
pub struct Send;
