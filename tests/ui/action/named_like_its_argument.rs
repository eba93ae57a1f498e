// The struct of the action would have the name of the type of its argument.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

fixture_ui::notes!(actions(Filter));

/// Which notes.
#[derive(Serialize, Deserialize, JsonSchema)]
struct Filter {
    text: String,
}

/// Keep some of the notes.
#[action]
fn filter(notes: &mut Notes, filter: Filter) {
    notes.lines.retain(|line| line.contains(&filter.text));
}

fn main() {}
