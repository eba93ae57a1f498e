// The limits of arguments by schemars' attribute, which belongs on a field.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Rate));

/// Rate a book.
#[action]
fn rate(
    counter: &mut Counter,
    #[schemars(range(min = 1, max = 5))] stars: u32,
    #[schemars(length(max = 80))] title: String,
    #[schemars(regex(pattern = "^[a-z]+$"))] tag: String,
) -> u32 {
    counter.count += stars;
    counter.count
}

fn main() {}
