// An argument of an action that is written by hand is described.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::core::spec::Schemas;
use skill_agent::core::{ActionSpec, Pure};
use skill_agent::prelude::*;
use std::convert::Infallible;

fixture_ui::calculator!(actions(Add), tools(Add(args(first = "The first summand."))));

#[derive(Serialize, Deserialize, JsonSchema)]
struct Add {
    first: f64,
}

impl Action for Add {
    type Skill = Calculator;
    type Output = f64;
    type Error = Infallible;
    type Kind = Pure;
    const SPEC: ActionSpec = ActionSpec::of::<Self>("add", "Add one number.");
    fn schemas() -> &'static Schemas {
        static SCHEMAS: Schemas = Schemas::of::<Add>();
        &SCHEMAS
    }
}

impl PureAction for Add {
    fn run(self, _: &mut Calculator, _: &mut Context<Calculator>) -> Result<f64, Infallible> {
        Ok(self.first)
    }
}

fn main() {}
