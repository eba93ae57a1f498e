// A hint about data has a value.
use skill_agent::prelude::*;

fixture_ui::desk!(actions(Read, Write));

/// Read a file.
#[action(sends_out = true)]
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
