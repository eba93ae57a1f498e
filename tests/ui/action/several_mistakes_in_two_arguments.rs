// Each of two arguments has a constraint that does not fit its type.
use skill_agent::prelude::*;

fixture_ui::notes!(actions(Write));

/// Write a note.
#[action]
fn write(
    notes: &mut Notes,
    #[arg(range(1..=80))] line: String,
    #[arg(length(1..=3))] times: usize,
) {
    notes.lines.extend(std::iter::repeat_n(line, times));
}

fn main() {}
