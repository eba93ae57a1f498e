// The result of a builder can be unwrapped although the agent is not `Debug`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Look))]
pub struct Counter {
    count: u32,
}

/// Look at it.
#[action]
pub fn look(counter: &Counter, cx: &mut Context<Counter>) -> String {
    format!("{} {cx:?}", counter.count)
}

agent! {
    pub struct Clerk { name: "clerk", skills: [Counter as one] }
}

pub(crate) fn main() {
    let patch = json!({ "other": {} });
    let error = Clerk::builder().config_value(&patch).unwrap_err();
    assert_eq!(error.problems()[0].path, "other");
    assert!(!format!("{:?}", Clerk::new().one()).is_empty());
}
