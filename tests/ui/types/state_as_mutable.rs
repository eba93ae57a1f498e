// The state is changed from outside, through a mutable reference.
// Text of rustc, `no method named `state_mut` found`: docs/errors.md has the cure.
use skill_agent::prelude::*;

fixture_ui::counter!();

agent! {
    struct Clerk {
        name: "clerk",
        skills: [Counter],
    }
}

fn main() {
    let mut clerk = Clerk::new();
    clerk.state_mut().counter.count = 1;
}
