// The option of a field stands on the struct.
use skill_agent::prelude::*;

#[derive(Resources)]
#[resources(skip)]
struct World {
    api: String,
}

fn main() {}
