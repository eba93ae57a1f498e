// A `Result` under another name, which would be the answer `{"Err": …}`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Counts.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "counter", actions(Increment))]
struct Counter {
    count: u32,
}

type Fallible = Result<u32, String>;

/// Add to the counter.
#[action]
fn increment(counter: &mut Counter, by: String) -> Fallible {
    counter.count += by.parse::<u32>().map_err(|error| error.to_string())?;
    Ok(counter.count)
}

fn main() {}
