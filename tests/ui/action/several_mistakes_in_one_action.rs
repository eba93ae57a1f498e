// A missing doc comment, an unknown option, an argument by reference and a pattern are reported together.
use skill_agent::prelude::*;

fixture_ui::notes!(actions(Write));

#[action(titel = "Write a note")]
fn write(notes: &mut Notes, line: &str, (from, to): (u32, u32)) {
    notes.lines.push(format!("{line} ({from}-{to})"));
}

fn main() {}
