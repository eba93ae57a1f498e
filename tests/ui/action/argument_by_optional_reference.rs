// Text that may be absent is taken as `Option<&str>`: a reference inside another type.
use skill_agent::prelude::*;

fixture_ui::notes!(actions(Write));

/// Write a note.
#[action]
fn write(notes: &mut Notes, line: Option<&str>) {
    notes.lines.extend(line.map(str::to_owned));
}

fn main() {}
