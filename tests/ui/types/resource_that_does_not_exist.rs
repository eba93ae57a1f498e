// The type of a resource does not exist.
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
async fn forecast(_: &Weather, _api: &WeatherApi) -> f64 {
    std::future::ready(1.0).await
}

fn main() {}
