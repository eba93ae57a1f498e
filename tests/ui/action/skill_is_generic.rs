// The first parameter is `impl Trait` instead of one skill.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

/// Add to the counter.
#[action]
fn increment(skill: &mut impl Skill, by: u32) -> u32 {
    let _ = skill;
    by
}

fn main() {}
