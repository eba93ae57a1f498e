// An action written by hand cannot be read from JSON.
use skill_agent::prelude::*;
use skill_core::{Action, ActionSpec, Pure, PureAction};
use skill_core::spec::{Schemas};
use std::convert::Infallible;

fixture_ui::counter!(actions(Increment));

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
