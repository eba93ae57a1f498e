// A server does not get a resource of an async action.
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;
use skill_agent::bounds::AgentRunsWith;

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

struct Builder<G, R>(G, R);

impl<G: Agent, R: Resources> Builder<G, R> {
    fn start(self)
    where
        G: AgentRunsWith<R>,
    {
    }
}

#[derive(Resources)]
struct World {
    pages: Vec<String>,
}

fn main() {
    let world = World { pages: Vec::new() };
    Builder(WeatherAgent::new(), world).start();
}
