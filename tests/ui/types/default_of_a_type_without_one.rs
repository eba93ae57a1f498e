// `default` without a value asks for `Default`, and the type of the field has none.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Sorts notes.
#[derive(Skill, Clone, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "sorter")]
struct Sorter {
    #[skill(default)]
    order: Order,
}

#[derive(Clone, Serialize, Deserialize, JsonSchema)]
enum Order {
    Ascending,
    Descending,
}

fn main() {}
