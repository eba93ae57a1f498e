// An async action holds a value that is not `Send` across an await.
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
async fn forecast(weather: &Weather, days: u32) -> u32 {
    let city = std::rc::Rc::new(weather.last_city.clone());
    let days = std::future::ready(days).await;
    days + city.len() as u32
}

fn main() {}
