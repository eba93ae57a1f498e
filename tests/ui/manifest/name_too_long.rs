// A name is too long.
use skill_agent::manifest::SkillDoc;
use skill_agent::prelude::*;

static SKILL: SkillDoc = include_skill!(
    "documents/review-review-review-review-review-review-review-review-review-of-it/SKILL.md"
);

fn main() {
    println!("{}", SKILL.id);
}
