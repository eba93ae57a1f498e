// An argument with an attribute of serde's: the derive of schemars that is generated for it has to find its names as well.
#![no_implicit_prelude]

mod state {
    use ::schemars::{self, JsonSchema};
    use ::serde::{Deserialize, Serialize};
    use ::skill_agent::prelude::*;
    use ::std::convert::Into as _;

    #[derive(
        Skill, ::std::clone::Clone, ::std::default::Default, Serialize, Deserialize, JsonSchema,
    )]
    #[skill(name = "counter", actions(super::Increment))]
    pub struct Counter {
        pub count: u32,
    }
}

use ::skill_agent::prelude::*;
use state::Counter;

/// Not the one of the standard library.
#[allow(dead_code)]
pub struct Some(u8);

/// Add something.
#[action]
pub fn increment(
    counter: &mut Counter,
    /** How much. */
    #[serde(alias = "n")]
    #[arg(default = 1)]
    by: u32,
) -> u32 {
    counter.count += by;
    counter.count
}

fn main() {
    let mut counter = Counter { count: 0 };
    ::std::assert_eq!(increment(&mut counter, 3), 3);
    ::std::assert_eq!(
        Increment::SPEC.input_schema()["properties"]["by"]["default"],
        1
    );
}
