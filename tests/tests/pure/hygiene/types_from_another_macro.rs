// A macro of the user passes the type of the skill to `#[action]` as a fragment, which is an invisible group.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

macro_rules! action_of {
    ($skill:ty, $function:ident, $answer:ty) => {
        /// Look at it.
        #[action]
        fn $function(skill: &$skill, cx: &mut Context<$skill>) -> $answer {
            let _ = cx;
            skill.looks
        }
    };
}

#[derive(Skill, Clone, Default, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "looker", actions(Look))]
struct Looker {
    looks: u32,
}

action_of!(Looker, look, u32);

agent! {
    struct Watcher { name: "watcher", skills: [Looker] }
}

pub(crate) fn main() {
    assert_eq!(Watcher::new().cmd(Look {}).unwrap().output, 0);
}
