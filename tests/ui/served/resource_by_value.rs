// An async action takes a resource by value.
// Text of ours.
use skill_agent::prelude::*;

fixture_ui::desk!(actions(Read));

/// A folder of the machine.
pub struct Folder;

/// Read a file.
#[action]
pub async fn read(_: &Desk, folder: Folder, path: String) -> String {
    let _ = folder;
    path
}

fn main() {}
