// An action that is not async takes a reference to a client.
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

/// Temperature in a city.
#[action]
fn forecast(weather: &mut Weather, api: &WeatherApi) -> f64 {
    weather.last_city.clear();
    api.reading
}

fn main() {}
