// A box and an `Arc` provide the same trait.
use skill_agent::prelude::*;
use std::sync::Arc;

trait Api: Send + Sync {}

#[derive(Resources)]
struct World {
    read: Box<dyn Api>,
    write: Arc<dyn Api>,
}

fn main() {}
