// `#[action]` is on a method, but an `impl` cannot contain the action's struct.
use skill_agent::prelude::*;

fixture_ui::counter!();

impl Counter {
    /// Add to the counter.
    #[action]
    fn increment(&mut self, by: u32) -> u32 {
        self.count += by;
        self.count
    }
}

fn main() {}
