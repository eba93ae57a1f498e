// An argument is a time of `chrono`, whose schema needs a feature of schemars.
// Text of ours.
use chrono::{DateTime, Utc};
use skill_agent::prelude::*;

fixture_ui::desk!(actions(Read));

/// Read a file.
#[action]
pub fn read(_: &Desk, since: DateTime<Utc>) -> i64 {
    since.timestamp()
}

fn main() {}
