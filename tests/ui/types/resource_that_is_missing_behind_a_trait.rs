// A server does not get the trait object of an async action of the agent itself.
use fixture_ui::builder::Builder;
use skill_agent::prelude::*;

trait Readings: Send + Sync {
    fn reading(&self) -> f64;
}

agent! {
    struct WeatherAgent {
        name: "weather_agent",
        actions: [Forecast],
    }
}

/// Temperature in a city.
#[action]
async fn forecast(_: &WeatherAgentBase, api: &dyn Readings) -> f64 {
    std::future::ready(api.reading()).await
}

fn main() {
    Builder(WeatherAgent::new(), ()).start();
}
