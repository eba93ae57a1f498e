// An agent declares two schedules with the same name.
use skill_agent::prelude::*;
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3600);

agent! {
    struct Watch {
        name: "watch",
        schedules: [hourly = every(HOUR) => "watch.tick", hourly = cron("0 * * * *", "UTC") => "watch.tick"],
        actions: [Tick],
    }
}

/// Tick.
#[action(on("watch.tick"))]
fn tick(_: &WatchBase) {}

fn main() {}
