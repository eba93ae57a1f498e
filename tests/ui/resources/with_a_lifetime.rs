// The resources contain a reference.
use skill_agent::prelude::*;

#[derive(Resources)]
struct World<'a> {
    api: &'a str,
}

fn main() {}
