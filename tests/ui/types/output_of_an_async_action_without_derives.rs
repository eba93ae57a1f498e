// The output of an async action derives nothing.
use skill_agent::prelude::*;

fixture_ui::weather!(actions(Forecast));

struct Degrees(f64);

/// Temperature in a city.
#[action]
async fn forecast(_: &Weather) -> Degrees {
    std::future::ready(Degrees(1.0)).await
}

fn main() {}
