// A `Result` under another name, which would be the output `{"Err": …}`.
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

type Fallible = Result<u32, String>;

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: String) -> Fallible {
    counter.count += by.parse::<u32>().map_err(|error| error.to_string())?;
    Ok(counter.count)
}

fn main() {}
