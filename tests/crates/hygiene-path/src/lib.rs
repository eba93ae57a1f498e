//! A framework that re-exports `skill-core` at a path of its own. Its skills use that path, as do the skills of
//! `hygiene-path-user`, which depends on this crate alone.
#![no_implicit_prelude]
#![deny(warnings, missing_docs)]

/// The re-exports of this framework.
pub mod my {
    /// `skill-core` at another path.
    pub mod path {
        pub use ::skill_core::*;
    }
}

// Names that the derive of schemars takes from the prelude.
use ::std::convert::Into as _;
use ::std::option::Option::Some;
// Names that are used below.
use ::std::clone::Clone;
use ::std::default::Default;
use ::std::result::Result::{self, Err, Ok};
use my::path::schemars::JsonSchema;
use my::path::serde::{Deserialize, Serialize};
use my::path::{Context, Skill, SkillConfig, action, agent};

/// Counts down.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "crate::my::path::serde")]
#[schemars(crate = "crate::my::path::schemars")]
#[skill(name = "countdown", config = Start, actions(Down, Look), crate = crate::my::path)]
pub struct Countdown {
    /// The number that is left.
    #[skill(from_config)]
    pub from: u8,
}

/// The configuration of [`Countdown`].
#[derive(SkillConfig, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, crate = "crate::my::path::serde")]
#[schemars(crate = "crate::my::path::schemars")]
#[skill(crate = crate::my::path)]
pub struct Start {
    /// The number to start from.
    #[skill(default = 10)]
    pub from: u8,
}

/// Count down.
#[action(crate = crate::my::path)]
pub fn down(
    countdown: &mut Countdown,
    cx: &mut Context<Countdown>,
    #[arg(default = 1, range(1..=10))] by: u8,
) -> Result<u8, ::std::string::String> {
    countdown.from = match countdown.from.checked_sub(by) {
        ::std::option::Option::Some(left) => left,
        ::std::option::Option::None => return Err(::std::format!("{} is over", cx.skill())),
    };
    Ok(countdown.from)
}

/// Say how many are left.
#[action(crate = crate::my::path)]
pub fn look(countdown: &Countdown, #[serde(alias = "aloud")] loud: bool) -> u8 {
    let _ = loud;
    countdown.from
}

agent! {
    /// Counts down, twice.
    #[derive(Debug, PartialEq)]
    pub struct Rocket {
        name: "rocket",
        state: {
            /// Whether it has left.
            gone: bool,
        },
        skills: [Countdown { from: 3 }, Countdown as reserve],
        crate: crate::my::path,
    }
}
