// An async action takes a resource as `&impl Trait`.
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
async fn forecast(_: &Weather, api: &impl Readings) -> f64 {
    std::future::ready(api.reading()).await
}

fn main() {}
