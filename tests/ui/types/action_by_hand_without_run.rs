// An action written by hand does not implement `PureAction`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use skill_core::{Action, ActionSpec, Pure};
use skill_core::spec::{Schemas};
use std::convert::Infallible;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Increment))]
struct Counter {
    count: u32,
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Increment {}

impl Action for Increment {
    type Skill = Counter;
    type Output = u32;
    type Error = Infallible;
    type Kind = Pure;
    const SPEC: ActionSpec = ActionSpec::of::<Self>("increment", "Add to the counter.");
    fn schemas() -> &'static Schemas {
        static SCHEMAS: Schemas = Schemas::of::<Increment>();
        &SCHEMAS
    }
}

fn main() {}
