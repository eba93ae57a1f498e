// `agent!` without an agent.
use skill_agent::prelude::*;

struct Watch;

agent! {}

impl Watch {
    const NAME: &str = "watch";
}

fn main() {}
