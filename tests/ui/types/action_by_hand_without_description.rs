// An action written by hand has an empty description.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use skill_core::{Action, ActionSpec, Pure, PureAction};
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
    const SPEC: ActionSpec = ActionSpec::of::<Self>("increment", "");
    fn schemas() -> &'static Schemas {
        static SCHEMAS: Schemas = Schemas::of::<Increment>();
        &SCHEMAS
    }
}

impl PureAction for Increment {
    fn run(self, counter: &mut Counter, _: &mut Context<Counter>) -> Result<u32, Infallible> {
        counter.count += 1;
        Ok(counter.count)
    }
}

fn main() {}
