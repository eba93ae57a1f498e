// An async action changes its skill and its resource, borrows text, and says nothing:
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
