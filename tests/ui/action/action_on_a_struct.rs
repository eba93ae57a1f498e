// `#[action]` on the struct of the arguments: it goes on the function that does it.
use skill_agent::prelude::*;

/// Add two numbers.
#[action]
struct Add {
    a: f64,
    b: f64,
}

fn main() {}
