// A child is never restarted.
// Text of rustc, `E0599`: docs/errors.md has the cure.
use skill_agent::child::Restart;
use skill_agent::prelude::*;

fn feed() -> ChildSpec {
    ChildSpec::new("feed", |_: ChildContext| async { Ok(()) }).restart(Restart::Never)
}

fn main() {}
