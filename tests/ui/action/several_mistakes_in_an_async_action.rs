// An async action takes its skill and a resource as `&mut` and text by reference, and has no doc comment.
use skill_agent::prelude::*;

fixture_ui::weather!(actions(Forecast));

struct WeatherApi {
    reading: f64,
}

#[action]
async fn forecast(weather: &mut Weather, api: &mut WeatherApi, city: &str) -> f64 {
    weather.last_city = city.to_owned();
    api.reading
}

fn main() {}
