// An action written by hand belongs to a type that is not a skill.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use skill_core::{ActionSpec, Pure};
use skill_core::spec::{Schemas};
use std::convert::Infallible;

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
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

impl PureAction for Increment {
    fn run(self, counter: &mut Counter, _: &mut Context<Counter>) -> Result<u32, Infallible> {
        counter.count += 1;
        Ok(counter.count)
    }
}

fn main() {}
