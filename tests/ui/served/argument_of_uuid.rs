// An argument is an id of `uuid`, whose schema needs a feature of schemars.
// Text of ours.
use skill_agent::prelude::*;
use uuid::Uuid;

fixture_ui::desk!(actions(Read));

/// Read a file.
#[action]
pub fn read(_: &Desk, id: Uuid) -> String {
    id.to_string()
}

fn main() {}
