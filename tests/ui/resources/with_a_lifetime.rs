// Resources are borrowed.
use skill_agent::prelude::*;

#[derive(Resources)]
struct World<'a> {
    api: &'a str,
}

fn main() {}
