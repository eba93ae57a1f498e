// An async action takes its skill as `&mut`.
use skill_agent::prelude::*;

fixture_ui::weather!(actions(Forecast));

/// Temperature in a city.
#[action]
async fn forecast(weather: &mut Weather, city: String) -> f64 {
    weather.last_city = city;
    std::future::ready(1.5).await
}

fn main() {}
