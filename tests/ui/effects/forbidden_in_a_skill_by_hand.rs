// A skill that is written by hand has an action with a hint that the agent forbids.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use skill_core::spec::Schemas;
use skill_core::{Action, ActionEntry, ActionSpec, Hints, NoConfig, Pure, PureAction, SkillSpec};
use std::convert::Infallible;

/// Destroys.
#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Shredder {}

impl Skill for Shredder {
    type Config = NoConfig;
    const SPEC: SkillSpec = SkillSpec::new("shredder")
        .type_path("Shredder")
        .actions(&[Shred::SPEC]);
    const ACTIONS: &'static [ActionEntry<Self>] = &[ActionEntry::of::<Shred>()];
}

#[derive(Serialize, Deserialize, JsonSchema)]
struct Shred {}

impl Action for Shred {
    type Skill = Shredder;
    type Output = ();
    type Error = Infallible;
    type Kind = Pure;
    const SPEC: ActionSpec = ActionSpec::of::<Self>("shred", "Shred paper.").hints(Hints::NONE.destructive());

    fn schemas() -> &'static Schemas {
        static SCHEMAS: Schemas = Schemas::of::<Shred>();
        &SCHEMAS
    }
}

impl PureAction for Shred {
    fn run(self, _: &mut Shredder, _: &mut Context<Shredder>) -> Result<(), Infallible> {
        Ok(())
    }
}

agent! {
    struct Clerk {
        name: "clerk",
        forbid: [destructive],
        skills: [Shredder],
    }
}

fn main() {}
