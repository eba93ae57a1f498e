// The agent forbids a hint of one of its own actions.
use skill_agent::prelude::*;

/// Keep everything.
#[action]
fn keep(_: &ClerkBase) {}

/// Delete everything.
#[action(destructive)]
fn wipe(_: &mut ClerkBase) {}

agent! {
    struct Clerk {
        name: "clerk",
        forbid: [destructive],
        actions: [Keep, Wipe],
    }
}

fn main() {}
