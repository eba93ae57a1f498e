// A hook is async.
// Text of rustc, `E0053`: docs/errors.md has the cure.
use skill_agent::prelude::*;
use skill_agent::Start;

fixture_ui::counter!(hooks);

impl Hooks for Counter {
    async fn on_mount(&mut self, _: Start, _: &mut Context<Self>) -> Result<(), HookError> {
        self.count = 1;
        Ok(())
    }
}

fn main() {}
