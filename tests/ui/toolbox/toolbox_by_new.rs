// A toolbox is made by `new`.
// Text of rustc, `E0599`: docs/toolbox.md has the cure.
use skill_agent::prelude::*;
use skill_agent::toolbox::Toolbox;

fn build<A: Agent>(server: &AgentServer<A>) -> Toolbox {
    Toolbox::new(server)
}

fn main() {}
