// An agent has no method `call`: a typed action is for `cmd`.
use fixture_ui::calculator::{Add, Calculator};
use skill_agent::prelude::*;

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator],
    }
}

fn main() {
    MathAgent::new().call(Add { a: 1.0, b: 2.0 }).unwrap();
}
