// Generated code needs no imports: those below are for the user's code and the derives of serde and schemars.
#![no_implicit_prelude]

mod state {
    use ::schemars::{self, JsonSchema};
    use ::serde::{Deserialize, Serialize};
    use ::skill_agent::prelude::*;
    use ::std::convert::Into as _;
    use ::std::default::Default;
    use ::std::option::Option::Some;

    #[derive(Skill, ::std::clone::Clone, Default, Serialize, Deserialize, JsonSchema)]
    #[serde(default)]
    #[skill(name = "counter", actions(super::Increment))]
    pub struct Counter {
        pub count: u32,
    }
}

use ::skill_agent::prelude::*;
use state::Counter;

fn not_full(counter: &Counter) -> ::std::result::Result<(), &'static str> {
    match counter.count {
        0..10 => ::std::result::Result::Ok(()),
        _ => ::std::result::Result::Err("it is full"),
    }
}

/// Add something.
#[action(when = not_full)]
pub fn increment(
    counter: &mut Counter,
    #[arg(range(1..), default = 1)] by: u32,
) -> ::std::result::Result<u32, Full> {
    counter.count += by;
    match counter.count {
        0..10 => ::std::result::Result::Ok(counter.count),
        _ => ::std::result::Result::Err(Full),
    }
}

#[derive(Debug, ::thiserror::Error)]
#[error("full")]
pub struct Full;

agent! {
    pub struct Clerk {
        name: "clerk",
        state: { open: bool = true },
        skills: [Counter, Counter as other],
    }
}

pub(crate) fn main() {
    let mut clerk = Clerk::new();
    ::std::assert_eq!(clerk.call_json("other_increment", "{}").unwrap().output, "1");
    ::std::assert!(clerk.cmd(Increment { by: 10 }).is_err());
}
