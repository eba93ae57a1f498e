// A union cannot be a skill.
use skill_agent::prelude::*;

/// Bits, seen two ways.
#[derive(Skill, Clone, Copy)]
#[skill(name = "bits")]
union Bits {
    whole: u32,
    bytes: [u8; 4],
}

fn main() {}
