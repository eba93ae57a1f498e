// Keys that other libraries have on an agent.
use skill_agent::prelude::*;

agent! {
    struct Notes {
        name: "notes",
        instructions: "You keep notes.",
        model: "gpt-5",
        tools: [],
    }
}

fn main() {}
