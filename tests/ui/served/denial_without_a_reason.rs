// A rule for denials returns a condition.
// Text of rustc, `E0308`: docs/guarding.md has the cure.
use fixture_ui::counter::{Counter, Increment};
use skill_agent::prelude::*;

agent! { struct Clerk { name: "clerk", skills: [Counter] } }

fn main() {
    let _ = AgentServer::builder(Clerk::new()).deny_when::<Increment>(|action| action.by == 0);
}
