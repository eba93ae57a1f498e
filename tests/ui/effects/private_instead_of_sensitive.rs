// A hint about data is called `reads_private`.
use skill_agent::prelude::*;

fixture_ui::desk!(actions(Read, Write));

/// Read a file.
#[action(reads_private)]
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
