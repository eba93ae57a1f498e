// A resource is taken as an `Arc`.
use skill_agent::prelude::*;
use std::sync::Arc;

struct Api;

fixture_ui::weather!(actions(Forecast));

/// Temperature in a city.
#[action]
async fn forecast(_: &Weather, api: Arc<Api>, city: String) -> f64 {
    let _ = (api, city);
    std::future::ready(1.5).await
}

fn main() {}
