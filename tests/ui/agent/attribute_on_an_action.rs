// An action of the agent has an attribute other than `#[cfg(…)]`.
use skill_agent::prelude::*;

agent! {
    struct Walker {
        name: "walker",
        state: { rounds: u32 = 0 },
        actions: [#[allow(unused)] Walk],
    }
}

/// Walk a round.
#[action]
fn walk(base: &mut WalkerBase) {
    base.rounds += 1;
}

fn main() {}
