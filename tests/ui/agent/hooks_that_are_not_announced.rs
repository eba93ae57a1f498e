// An agent implements `Hooks` without the key `hooks`.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        state: { ticks: u32 },
    }
}

impl Hooks for WatchBase {
    fn handle_signal(&mut self, _: &Signal, _: &mut Context<Self>) -> Result<Handled, HookError> {
        self.ticks += 1;
        Ok(Handled::Done)
    }
}

fn main() {}
