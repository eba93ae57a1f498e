// Two fields have one type.
use skill_agent::prelude::*;

#[derive(Resources)]
struct World {
    read: Vec<String>,
    write: Vec<String>,
}

fn main() {}
