// `default` without a value asks for `Default`, and the type of the argument has none.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Sorts notes.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "sorter", actions(Sort))]
struct Sorter {
    lines: Vec<String>,
}

#[derive(Serialize, Deserialize, JsonSchema)]
enum Order {
    Ascending,
    Descending,
}

/// Sort the notes.
#[action]
fn sort(sorter: &mut Sorter, #[arg(default)] order: Order) {
    sorter.lines.sort();
    if let Order::Descending = order {
        sorter.lines.reverse();
    }
}

fn main() {}
