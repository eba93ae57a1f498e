// An action that is not async takes a reference to a trait object.
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

trait Readings: Send + Sync {
    fn reading(&self) -> f64;
}

/// Temperature in a city.
#[action]
fn forecast(weather: &mut Weather, api: &(dyn Readings + Sync)) -> f64 {
    weather.last_city.clear();
    api.reading()
}

fn main() {}
