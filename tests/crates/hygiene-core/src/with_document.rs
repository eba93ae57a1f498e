//! A skill with a document, which `skill-core` alone reads at compile time.

use ::skill_core::Skill;
use ::skill_core::schemars::JsonSchema;
use ::skill_core::serde::{Deserialize, Serialize};
use ::std::clone::Clone;
use ::std::convert::Into;
use ::std::default::Default;

/// Takes money.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(crate = "::skill_core::serde")]
#[schemars(crate = "::skill_core::schemars")]
#[skill(manifest = "../skills/till/SKILL.md", dialect = TRIGGERED)]
pub struct Till {}
