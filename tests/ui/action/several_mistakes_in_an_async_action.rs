// An async action takes its skill and a resource as `&mut` and text by reference, and has no doc comment.
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

struct WeatherApi {
    reading: f64,
}

#[action]
async fn forecast(weather: &mut Weather, api: &mut WeatherApi, city: &str) -> f64 {
    weather.last_city = city.to_owned();
    api.reading
}

fn main() {}
