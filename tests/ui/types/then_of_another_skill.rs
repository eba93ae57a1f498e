// An async action queues an action of another skill.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use fixture_chat::Say;

/// Looks up the weather.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "weather", actions(Forecast))]
struct Weather {
    last_city: String,
}

/// Tell somebody.
#[action]
async fn forecast(_: &Weather, cx: &mut Context<Weather>) {
    std::future::ready(()).await;
    cx.then(Say { line: "rain".to_owned() });
}

fn main() {}
