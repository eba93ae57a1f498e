// An agent that offers documents has an action named `skill`.
use skill_agent::prelude::*;

fixture_ui::desk!(actions(Read, Describe));

/// Read a file.
#[action]
fn read(_: &Desk) {}

/// Say what the desk is good for.
#[action(name = "skill", type = Describe)]
fn describe(_: &Desk) {}

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Desk],
        allow_skills: true,
    }
}

fn main() {}
