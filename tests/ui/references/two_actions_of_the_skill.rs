// The instructions of a skill refer to a name that two of its actions have, in different modules.
use fixture_ui::notes;
use skill_agent::prelude::*;

notes!(instructions = "Keep what matters with `{Write}`.", actions(Write, short::Write));

/// Write a note.
#[action]
fn write(notes: &mut Notes, line: String) {
    notes.lines.push(line);
}

mod short {
    use super::*;

    /// Write a note of one word.
    #[action(name = "write_word")]
    pub fn write(notes: &mut Notes, word: String) {
        notes.lines.push(word);
    }
}

fn main() {}
