// An agent that offers documents has an action named `read_skill_file`.
use skill_agent::prelude::*;

fixture_ui::desk!(actions(Read, Describe));

/// Read a file.
#[action]
fn read(_: &Desk) {}

/// Say what the desk is good for.
#[action(name = "read_skill_file", type = Describe)]
fn describe(_: &Desk) {}

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Desk],
        allow_skills: true,
    }
}

fn main() {}
