// The path of the core leads to the documents beside it; the text is a document.
use skill_agent::prelude::*;

static SKILL: &str = include_skill!(
    "../manifest/documents/good/SKILL.md",
    crate = skill_agent::core
);

fn main() {
    println!("{SKILL}");
}
