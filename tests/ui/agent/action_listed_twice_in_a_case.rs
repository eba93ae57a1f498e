// Two conditions under which an agent lists the same action hold at once.
use skill_agent::prelude::*;

agent! {
    struct Walker {
        name: "walker",
        state: { rounds: u32 = 0 },
        actions: [
            #[cfg(all())]
            Walk,
            #[cfg(not(any()))]
            Walk,
        ],
    }
}

/// Walk a round.
#[action]
fn walk(base: &mut WalkerBase) {
    base.rounds += 1;
}

fn main() {
    let _ = Walker::new();
}
