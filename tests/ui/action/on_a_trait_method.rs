// `#[action]` on a function without a body.
use skill_agent::prelude::*;

trait Counting {
    /// Add to the counter.
    #[action]
    fn increment(&mut self, by: u32) -> u32;
}

fn main() {}
