// Skills are in `skills` and in `deferred`, or twice in `deferred`, and another has a value in place of a type.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "counter")]
struct Counter {}

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[skill(name = "bell")]
struct Bell {}

agent! {
    struct Clerk {
        name: "clerk",
        deferred: [Counter, Bell, Bell, "notes"],
        skills: [Counter],
    }
}

agent! {
    struct Other {
        name: "other",
        deferred: Counter,
    }
}

fn main() {
    let _ = (Clerk::new(), Other::new());
}
