// The version of an agent without its third number.
use skill_agent::prelude::*;

agent! {
    /// Does sums.
    struct MathAgent {
        name: "math_agent",
        version: "0.1",
        skills: [],
    }
}

fn main() {}
