// The state contains a cell, which threads cannot share.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use std::cell::Cell;

/// Counts visits.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "memory")]
struct Memory {
    visits: Cell<u32>,
}

fn main() {}
