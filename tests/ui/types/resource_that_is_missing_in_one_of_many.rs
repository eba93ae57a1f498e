// A server does not get a resource of one action of one skill among many.
use fixture_ui::builder::Builder;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use fixture_chat::Chat;
use fixture_speech::Diary;

/// Looks up the weather.
#[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(name = "weather", actions(Forecast, Remember, Forget))]
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

/// Remember a city.
#[action]
fn remember(weather: &mut Weather, city: String) {
    weather.last_city = city;
}

/// Wait, and forget the city.
#[action]
async fn forget(_: &Weather, cx: &mut Context<Weather>) {
    std::future::ready(()).await;
    cx.then(Remember { city: String::new() });
}

agent! {
    struct WeatherAgent {
        name: "weather_agent",
        skills: [Chat, Weather, Diary as log],
    }
}

fn main() {
    Builder(WeatherAgent::new(), "somewhere").start();
}
