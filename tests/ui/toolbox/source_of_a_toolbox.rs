// A source is added to the toolbox of one server.
// Text of rustc, `E0599`: docs/toolbox.md has the cure.
use skill_agent::prelude::*;
use skill_agent::toolbox::{Toolbox, ToolSource};

fn build<A: Agent>(server: &AgentServer<A>, clock: impl ToolSource) {
    Toolbox::of(server).source("clock", clock);
}

fn main() {}
