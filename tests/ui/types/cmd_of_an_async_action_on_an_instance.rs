// `cmd` of an instance gets an async action.
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
async fn forecast(_: &Weather, days: u32) -> f64 {
    std::future::ready(f64::from(days)).await
}

agent! {
    struct WeatherAgent {
        name: "weather_agent",
        skills: [Weather as outside],
    }
}

fn main() {
    WeatherAgent::new().outside().cmd(Forecast { days: 1 }).unwrap();
}
