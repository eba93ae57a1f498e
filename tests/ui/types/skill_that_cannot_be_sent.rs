// The state of a skill holds an `Rc`, so an agent could not move to another thread.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use std::rc::Rc;

/// Remembers the last word.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "memory")]
struct Memory {
    #[serde(skip)]
    #[schemars(skip)]
    last: Rc<String>,
}

fn main() {}
