// An action is called like a method of the agent.
// Text of rustc, `no method named`: docs/errors.md has the cure.
use fixture_ui::clock::Clock;
use skill_agent::prelude::*;

agent! { struct Clerk { name: "clerk", skills: [Clock] } }

fn main() {
    let mut clerk = Clerk::new();
    clerk.tick();
}
