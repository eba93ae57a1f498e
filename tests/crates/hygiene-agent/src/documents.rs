//! Documents in a crate where common names have other meanings.

#[expect(
    unused_imports,
    reason = "names that generated code must not take for those of the language"
)]
use crate::names::*;
use ::sa::manifest::SkillDoc;
use ::sa::prelude::{Skill, include_skill, include_skills};
use ::schemars::{self, JsonSchema};
use ::serde::{Deserialize, Serialize};
use ::std::convert::Into as _; // for the derive of schemars

/// How to bake bread.
pub static BREAD: SkillDoc = include_skill!("../skills/bread/SKILL.md", crate = ::sa);

/// How to bake scones.
pub static SCONES: SkillDoc = include_skill!(
    "../skills/scones/SKILL.md",
    dialect = TRIGGERED,
    toolsets(crate::state::Jar),
    crate = ::sa,
);

/// All there is to know.
pub static ALL: &[SkillDoc] = include_skills!("../skills", dialect = LILY, crate = ::sa);

/// Bakes bread as its document says.
#[derive(
    Skill, ::std::clone::Clone, ::std::default::Default, Serialize, Deserialize, JsonSchema,
)]
#[skill(manifest = "../skills/bread/SKILL.md", crate = ::sa)]
pub struct Bread {}
