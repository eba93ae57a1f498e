// An action written by hand does not implement `schemas`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use skill_core::{Action, ActionSpec, Pure, PureAction};
use std::convert::Infallible;

fixture_ui::counter!(actions(Increment));

#[derive(Serialize, Deserialize, JsonSchema)]
struct Increment {}

impl Action for Increment {
    type Skill = Counter;
    type Output = u32;
    type Error = Infallible;
    type Kind = Pure;
    const SPEC: ActionSpec = ActionSpec::of::<Self>("increment", "Add to the counter.");
}

impl PureAction for Increment {
    fn run(self, counter: &mut Counter, _: &mut Context<Counter>) -> Result<u32, Infallible> {
        counter.count += 1;
        Ok(counter.count)
    }
}

fn main() {}
