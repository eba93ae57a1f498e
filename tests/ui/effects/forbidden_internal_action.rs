// An internal action has a hint that the agent forbids.
use skill_agent::prelude::*;

fixture_ui::desk!(actions(Read, Write));

/// Read a file.
#[action]
fn read(_: &Desk) {}

/// Write a file.
#[action(destructive, internal)]
fn write(_: &mut Desk) {}

agent! {
    struct Clerk {
        name: "clerk",
        forbid: [destructive],
        skills: [Desk],
    }
}

fn main() {}
