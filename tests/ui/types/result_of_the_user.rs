// The user has a type named `Result`.
use schemars::JsonSchema;
use serde::Serialize;
use skill_agent::prelude::*;

fixture_ui::counter!(actions(Increment));

#[derive(Serialize, JsonSchema)]
struct Result<T, E> {
    after: T,
    #[serde(skip)]
    #[schemars(skip)]
    warning: Option<E>,
}

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: u32) -> Result<u32, std::fmt::Error> {
    counter.count += by;
    Result { after: counter.count, warning: None }
}

fn main() {}
