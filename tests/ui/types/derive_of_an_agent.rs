// An agent is derived from a struct of skills.
// Text of rustc, `cannot find derive macro `Agent` in this scope`: docs/errors.md has the cure.
use skill_agent::prelude::*;

fixture_ui::counter!();

#[derive(Agent)]
struct Clerk {
    counter: Counter,
}

fn main() {}
