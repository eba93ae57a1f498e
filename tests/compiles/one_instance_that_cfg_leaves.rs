// Of two entries of one type `#[cfg]` leaves one: then it is there once, and `cmd` needs no name.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Increment))]
pub struct Counter {
    count: u32,
}

/// Add one.
#[action]
pub fn increment(counter: &mut Counter) -> u32 {
    counter.count += 1;
    counter.count
}

agent! {
    pub struct Clerk {
        name: "clerk",
        skills: [
            #[cfg(any())]
            Counter,
            #[cfg(not(any()))]
            Counter as other,
        ],
    }
}

fn main() {
    let mut clerk = Clerk::new();
    assert_eq!(clerk.other().cmd(Increment {}).unwrap().output, 1);
    assert_eq!(clerk.cmd(Increment {}).unwrap().output, 2);
}
