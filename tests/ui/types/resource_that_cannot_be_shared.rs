// A trait object that is not `Sync` is held across an await.
use skill_agent::prelude::*;

fixture_ui::weather!(actions(Forecast));

trait Readings {
    fn reading(&self) -> f64;
}

/// Temperature in a city.
#[action]
async fn forecast(_: &Weather, api: &dyn Readings) -> f64 {
    std::future::ready(()).await;
    api.reading()
}

fn main() {}
