// A hook is misspelled.
// Text of rustc, `E0407`: docs/errors.md has the cure.
use skill_agent::prelude::*;

fixture_ui::counter!(hooks);

impl Hooks for Counter {
    fn on_signal(&mut self, signal: &Signal, _: &mut Context<Self>) -> Result<Handled, HookError> {
        self.count += u32::from(signal.ty() == "clock.ticked");
        Ok(Handled::Done)
    }
}

fn main() {}
