// An argument of an async action is a reference to a `Vec`.
use skill_agent::prelude::*;

fixture_ui::weather!(actions(Forecast));

/// Temperature in cities.
#[action]
async fn forecast(_: &Weather, cities: &Vec<String>) -> usize {
    std::future::ready(cities.len()).await
}

fn main() {}
