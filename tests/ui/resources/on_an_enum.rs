// Resources are an enum.
use skill_agent::prelude::*;

#[derive(Resources)]
enum World {
    Real(String),
}

fn main() {}
