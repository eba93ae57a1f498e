// The interval of a schedule is zero.
use skill_agent::prelude::*;
use std::time::Duration;

const HOUR: Duration = Duration::from_secs(3600);

agent! {
    struct Watch {
        name: "watch",
        schedules: [always = every(Duration::ZERO) => "watch.tick", hourly = every(HOUR) => "watch.tick"],
        actions: [Tick],
    }
}

/// Tick.
#[action(on("watch.tick"))]
fn tick(_: &WatchBase) {}

fn main() {}
