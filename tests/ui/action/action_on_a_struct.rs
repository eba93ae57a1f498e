// `#[action]` is on the struct of the arguments instead of the function.
use skill_agent::prelude::*;

/// Add two numbers.
#[action]
struct Add {
    a: f64,
    b: f64,
}

fn main() {}
