// An argument of an async action is a slice.
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

/// Temperature in cities.
#[action]
async fn forecast(_: &Weather, cities: &Vec<String>) -> usize {
    std::future::ready(cities.len()).await
}

fn main() {}
