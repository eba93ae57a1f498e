// An instance that the agent does not list.
use fixture_ui::calculator::{Add, Calculator};
use skill_agent::prelude::*;

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator],
    }
}

fn main() {
    MathAgent::new().calc().cmd(Add { a: 1.0, b: 2.0 }).unwrap();
}
