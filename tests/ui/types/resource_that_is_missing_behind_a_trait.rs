// A server does not get the trait object of an async action of the agent itself.
use skill_agent::prelude::*;
use skill_agent::bounds::AgentRunsWith;

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

struct Builder<G, R>(G, R);

impl<G: Agent, R: Resources> Builder<G, R> {
    fn start(self)
    where
        G: AgentRunsWith<R>,
    {
    }
}

fn main() {
    Builder(WeatherAgent::new(), ()).start();
}
