// The path of the core also leads to `manifest`; the mistake is the type of the static.
use skill_agent::prelude::*;

static SKILL: &str = include_skill!(
    "../manifest/documents/good/SKILL.md",
    crate = skill_agent::core
);

fn main() {
    println!("{SKILL}");
}
