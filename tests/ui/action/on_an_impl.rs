// `#[action]` is on a whole `impl` instead of each function.
use skill_agent::prelude::*;

fixture_ui::counter!();

#[action]
impl Counter {
    /// Add to the counter.
    fn increment(&mut self, by: u32) -> u32 {
        self.count += by;
        self.count
    }
}

fn main() {}
