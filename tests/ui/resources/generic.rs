// Resources are generic.
use skill_agent::prelude::*;

#[derive(Resources)]
struct World<T> {
    api: T,
}

fn main() {}
