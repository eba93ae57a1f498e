// The instructions of a skill have a placeholder in braces, which reads as a reference.
use fixture_ui::notes;
use skill_agent::prelude::*;

notes!(instructions = "Begin each note with `# {Title}`.", actions(Write));

/// Write a note.
#[action]
fn write(notes: &mut Notes, line: String) {
    notes.lines.push(line);
}

fn main() {}
