// A mountable skill has an async action.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Tells the weather.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "weather", actions(Forecast))]
struct Weather {}

/// Ask for tomorrow.
#[action]
async fn forecast(_: &Weather) -> String {
    "rain".to_owned()
}

agent! {
    struct Sailor {
        name: "sailor",
        mounted: [Weather],
    }
}

fn main() {}
