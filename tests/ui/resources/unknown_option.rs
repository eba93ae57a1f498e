// An option of a field is misspelled.
use skill_agent::prelude::*;

#[derive(Resources)]
struct World {
    api: String,
    #[resources(skipp)]
    name: String,
}

fn main() {}
