// The first parameter is an argument, taken by reference.
use skill_agent::prelude::*;

/// Count the words of a text.
#[action]
fn count_words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn main() {}
