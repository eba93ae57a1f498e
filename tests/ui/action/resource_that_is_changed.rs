// An async action takes a resource as `&mut`.
use skill_agent::prelude::*;

fixture_ui::weather!(actions(Forecast));

struct WeatherApi {
    reading: f64,
}

/// Temperature in a city.
#[action]
async fn forecast(_: &Weather, api: &mut WeatherApi) -> f64 {
    api.reading += 1.0;
    std::future::ready(api.reading).await
}

fn main() {}
