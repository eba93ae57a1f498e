// `cmd` gets an async action.
use skill_agent::prelude::*;

fixture_ui::weather!(actions(Forecast));

/// Temperature in a city.
#[action]
async fn forecast(_: &Weather, days: u32) -> f64 {
    std::future::ready(f64::from(days)).await
}

agent! {
    struct WeatherAgent {
        name: "weather_agent",
        skills: [Weather],
    }
}

fn main() {
    WeatherAgent::new().cmd(Forecast { days: 1 }).unwrap();
}
