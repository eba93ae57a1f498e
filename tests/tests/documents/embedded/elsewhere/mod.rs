//! A file in another folder.

use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

pub fn document() -> SkillDoc {
    include_skill!("../skills/plan_compiler/SKILL.md", dialect = LILY)
}

macro_rules! by_macro {
    () => {
        include_skill!("../skills/plan_compiler/SKILL.md", dialect = LILY)
    };
}
pub(crate) use by_macro;
