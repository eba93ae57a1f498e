// The option of a field is on the struct.
use skill_agent::prelude::*;

#[derive(Resources)]
#[resources(skip)]
struct World {
    api: String,
}

fn main() {}
