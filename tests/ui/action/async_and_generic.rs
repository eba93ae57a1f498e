// An async action is generic.
use skill_agent::prelude::*;

fixture_ui::weather!(actions(Forecast));

/// Temperature in a city.
#[action]
async fn forecast<T: ToString>(_: &Weather, city: T) -> usize {
    std::future::ready(city.to_string().len()).await
}

fn main() {}
