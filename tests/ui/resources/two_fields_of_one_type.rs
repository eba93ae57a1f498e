// Two fields have the same type.
use skill_agent::prelude::*;

#[derive(Resources)]
struct World {
    read: Vec<String>,
    write: Vec<String>,
}

fn main() {}
