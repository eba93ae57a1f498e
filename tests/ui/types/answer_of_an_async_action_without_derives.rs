// The answer of an async action has no schema.
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

struct Degrees(f64);

/// Temperature in a city.
#[action]
async fn forecast(_: &Weather) -> Degrees {
    std::future::ready(Degrees(1.0)).await
}

fn main() {}
