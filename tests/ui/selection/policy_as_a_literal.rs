// A policy is written as a literal of its struct.
// Text of rustc, `E0639`: docs/selection.md has the cure.
use skill_agent::manifest::selection::SelectionPolicy;

fn policy() -> SelectionPolicy {
    SelectionPolicy { max_skills: 1, ..SelectionPolicy::TIERS }
}

fn main() {}
