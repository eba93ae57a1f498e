// An async action takes its skill as `&mut`.
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
async fn forecast(weather: &mut Weather, city: String) -> f64 {
    weather.last_city = city;
    std::future::ready(1.5).await
}

fn main() {}
