// An action that is not async takes a reference to a trait object.
use skill_agent::prelude::*;

fixture_ui::weather!(actions(Forecast));

trait Readings: Send + Sync {
    fn reading(&self) -> f64;
}

/// Temperature in a city.
#[action]
fn forecast(weather: &mut Weather, api: &(dyn Readings + Sync)) -> f64 {
    weather.last_city.clear();
    api.reading()
}

fn main() {}
