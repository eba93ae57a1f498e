// The option of a resource has a value.
use skill_agent::prelude::*;

#[derive(Resources)]
struct World {
    api: String,
    #[resources(skip = true)]
    name: String,
}

fn main() {}
