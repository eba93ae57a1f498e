// A parameter of a hook is missing.
use skill_agent::prelude::*;

fixture_ui::counter!(hooks);

impl Hooks for Counter {
    fn handle_signal(&mut self, signal: &Signal) -> Result<Handled, HookError> {
        self.count += u32::from(signal.ty() == "clock.ticked");
        Ok(Handled::Done)
    }
}

fn main() {}
