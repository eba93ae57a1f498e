//! A user of a framework: the only dependency is `hygiene-path`, which has `skill-core` as `hygiene_path::my::path`.
#![no_implicit_prelude]
#![deny(warnings, missing_docs)]

use ::hygiene_path::Countdown;
use ::hygiene_path::my::path as framework;
use framework::schemars::JsonSchema;
use framework::serde::{Deserialize, Serialize};
use framework::{Skill, action, agent};
// Names that the derive of schemars takes from the prelude.
use ::std::convert::Into as _;
use ::std::default::Default;
use ::std::option::Option::Some;

/// Lights the fuse.
#[derive(
    Skill,
    ::std::clone::Clone,
    ::std::default::Default,
    Debug,
    PartialEq,
    Serialize,
    Deserialize,
    JsonSchema,
)]
#[serde(default, crate = "::hygiene_path::my::path::serde")]
#[schemars(crate = "::hygiene_path::my::path::schemars")]
#[skill(name = "fuse", requires("countdown"), actions(Light), crate = ::hygiene_path::my::path)]
pub struct Fuse {
    /// Whether it burns.
    pub lit: bool,
}

/// Light it.
#[action(crate = framework)]
pub fn light(fuse: &mut Fuse) -> bool {
    fuse.lit = true;
    fuse.lit
}

agent! {
    /// Lights the fuse of a countdown.
    #[derive(Debug, PartialEq)]
    pub struct Pad {
        name: "pad",
        skills: [Fuse, Countdown],
        crate: ::hygiene_path::my::path,
    }
}
