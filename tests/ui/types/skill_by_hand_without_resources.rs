// A skill written by hand does not implement `SkillRunsWith`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use skill_agent::{SkillSpec};
use skill_agent::bounds::{AgentRunsWith};

#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
struct Notes {}

impl Skill for Notes {
    type Config = NoConfig;
    const SPEC: SkillSpec = SkillSpec::new("notes");
}

agent! {
    struct Writer {
        name: "writer",
        skills: [Notes],
    }
}

struct Builder<G, R>(G, R);

impl<G: Agent, R: Resources> Builder<G, R> {
    fn start(self)
    where
        G: AgentRunsWith<R>,
    {
    }
}

fn main() {
    Builder(Writer::new(), ()).start();
}
