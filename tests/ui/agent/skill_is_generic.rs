// A generic skill is listed for one type.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Keeps items.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "stack")]
struct Stack<T: Clone + Default> {
    items: Vec<T>,
}

agent! {
    struct Shelf {
        name: "shelf",
        skills: [Stack<u32>, Stack<String> as names],
    }
}

fn main() {
    println!("{:?}", Shelf::new().state().stack.items);
}
