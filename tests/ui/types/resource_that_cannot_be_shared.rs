// A trait object that is not `Sync` is held across an await.
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

trait Readings {
    fn reading(&self) -> f64;
}

/// Temperature in a city.
#[action]
async fn forecast(_: &Weather, api: &dyn Readings) -> f64 {
    std::future::ready(()).await;
    api.reading()
}

fn main() {}
