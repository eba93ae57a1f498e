// A resource has an option of an argument.
use skill_agent::prelude::*;

fixture_ui::weather!(actions(Forecast));

struct WeatherApi {
    reading: f64,
}

/// Temperature in a city.
#[action]
async fn forecast(_: &Weather, #[arg(default)] api: &WeatherApi) -> f64 {
    std::future::ready(api.reading).await
}

fn main() {}
