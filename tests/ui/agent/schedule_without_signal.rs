// A schedule has no signal.
use skill_agent::prelude::*;
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3600);

agent! {
    struct Watch {
        name: "watch",
        schedules: [hourly = every(HOUR)],
        actions: [Tick],
    }
}

/// Tick.
#[action(on("watch.tick"))]
fn tick(_: &WatchBase) {}

fn main() {}
