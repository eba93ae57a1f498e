// An action that is not async takes a reference to a client.
use skill_agent::prelude::*;

fixture_ui::weather!(actions(Forecast));

struct WeatherApi {
    reading: f64,
}

/// Temperature in a city.
#[action]
fn forecast(weather: &mut Weather, api: &WeatherApi) -> f64 {
    weather.last_city.clear();
    api.reading
}

fn main() {}
