// An async action queues another.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Looks up the weather.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "weather", actions(Forecast, Doubt))]
struct Weather {
    last_city: String,
}

/// Temperature in a city.
#[action]
async fn forecast(_: &Weather, days: u32) -> f64 {
    std::future::ready(f64::from(days)).await
}

/// Ask again.
#[action]
async fn doubt(_: &Weather, cx: &mut Context<Weather>) {
    std::future::ready(()).await;
    cx.then(Forecast { days: 2 });
}

fn main() {}
