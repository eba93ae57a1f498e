// The name of an agent, spelled like its type.
use skill_agent::prelude::*;

agent! {
    /// Does sums.
    struct MathAgent {
        name: "MathAgent",
        skills: [],
    }
}

fn main() {}
