// An argument of an async action is a `&str`.
use skill_agent::prelude::*;

fixture_ui::weather!(actions(Forecast));

/// Temperature in a city.
#[action]
async fn forecast(_: &Weather, city: &str) -> usize {
    std::future::ready(city.len()).await
}

fn main() {}
