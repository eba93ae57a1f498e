// A server gets no resources at all.
use fixture_ui::builder::Builder;
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
async fn forecast(_: &Weather, api: &WeatherApi) -> f64 {
    std::future::ready(api.reading).await
}

agent! {
    struct WeatherAgent {
        name: "weather_agent",
        skills: [Weather],
    }
}

fn main() {
    Builder(WeatherAgent::new(), ()).start();
}
