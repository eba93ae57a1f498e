// An agent without base fields implements `Hooks` without the key `hooks`.
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
    }
}

impl Hooks for WatchBase {
    fn handle_signal(&mut self, _: &Signal, _: &mut Context<Self>) -> Result<Handled, HookError> {
        Ok(Handled::Done)
    }
}

fn main() {}
