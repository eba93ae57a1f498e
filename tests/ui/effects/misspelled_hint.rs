// A hint about data is misspelled.
use skill_agent::prelude::*;

fixture_ui::desk!(actions(Read, Write));

/// Read a file.
#[action(reads_sensitiv)]
fn read(_: &Desk) {}

/// Write a file.
#[action]
fn write(_: &mut Desk) {}

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Desk],
    }
}

fn main() {}
