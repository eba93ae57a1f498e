// A skill has instructions and no description.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "review", instructions = "Read the change twice before you comment on it.")]
struct Review {}

fn main() {}
