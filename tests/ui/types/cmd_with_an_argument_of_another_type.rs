// An argument of an action has the wrong type.
use fixture_ui::calculator::{Add, Calculator};
use skill_agent::prelude::*;

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator],
    }
}

fn main() {
    MathAgent::new().cmd(Add { a: 1.0, b: "2" }).unwrap();
}
