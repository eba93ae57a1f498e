// A skill written by hand lists an action of another skill.
use fixture_chat::Say;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_core::{Action, ActionEntry, NoConfig, Skill, SkillSpec};

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Notes {
    lines: Vec<String>,
}

impl Skill for Notes {
    type Config = NoConfig;
    const SPEC: SkillSpec = SkillSpec::new("notes").actions(&[Say::SPEC]);
    const ACTIONS: &'static [ActionEntry<Self>] = &[ActionEntry::of::<Say>()];
}

fn main() {}
