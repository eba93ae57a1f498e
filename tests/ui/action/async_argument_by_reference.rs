// An argument of an async action is a `&str`.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Looks up the weather.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "weather", actions(Forecast))]
struct Weather {
    last_city: String,
}

/// Temperature in a city.
#[action]
async fn forecast(_: &Weather, city: &str) -> usize {
    std::future::ready(city.len()).await
}

fn main() {}
