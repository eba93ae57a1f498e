// An agent is written as a tuple struct.
use skill_agent::prelude::*;

agent! {
    struct Watch(u32);
}

fn main() {}
