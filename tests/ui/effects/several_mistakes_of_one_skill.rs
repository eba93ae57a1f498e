// A skill lacks its requirement and has an action with a hint that the agent forbids.
use skill_agent::prelude::*;

fixture_ui::desk!(requires("ink"), actions(Read, Write));

/// Read a file.
#[action]
fn read(_: &Desk) {}

/// Write a file.
#[action(destructive)]
fn write(_: &mut Desk) {}

agent! {
    struct Clerk {
        name: "clerk",
        forbid: [destructive],
        skills: [Desk],
    }
}

fn main() {}
