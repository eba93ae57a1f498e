// An action of one agent is a command to another agent.
use skill_agent::prelude::*;

agent! {
    struct Clerk {
        name: "clerk",
        state: { busy: bool },
        actions: [Work],
    }
}

/// Begin to work.
#[action]
fn work(clerk: &mut ClerkBase) {
    clerk.busy = true;
}

agent! {
    struct Boss {
        name: "boss",
    }
}

fn main() {
    Boss::new().cmd(Work {}).unwrap();
}
