// The agent forbids `open_world`, and an action sends data out.
use skill_agent::prelude::*;

fixture_ui::desk!(actions(Read, Write));

/// Read a file.
#[action]
fn read(_: &Desk) {}

/// Write a file.
#[action(sends_out)]
fn write(_: &mut Desk) {}

agent! {
    struct Clerk {
        name: "clerk",
        forbid: [open_world],
        skills: [Desk],
    }
}

fn main() {}
