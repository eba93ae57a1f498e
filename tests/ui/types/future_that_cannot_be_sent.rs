// An async action holds a value that is not `Send` across an await.
use skill_agent::prelude::*;

fixture_ui::weather!(actions(Forecast));

/// Temperature in a city.
#[action]
async fn forecast(weather: &Weather, days: u32) -> u32 {
    let city = std::rc::Rc::new(weather.last_city.clone());
    let days = std::future::ready(days).await;
    days + city.len() as u32
}

fn main() {}
