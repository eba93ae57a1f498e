// An output without a type that a schema could show.
use skill_agent::prelude::*;

fixture_ui::notes!(actions(Lines));

/// All notes.
#[action]
fn lines(notes: &Notes) -> impl Iterator<Item = String> {
    notes.lines.clone().into_iter()
}

fn main() {}
