// An async action takes a resource as `&impl Trait`.
use skill_agent::prelude::*;

fixture_ui::weather!(actions(Forecast));

trait Readings: Send + Sync {
    fn reading(&self) -> f64;
}

/// Temperature in a city.
#[action]
async fn forecast(_: &Weather, api: &impl Readings) -> f64 {
    std::future::ready(api.reading()).await
}

fn main() {}
