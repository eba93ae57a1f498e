// The agent and one of its skills have tools of the same name.
use skill_agent::prelude::*;

fixture_ui::clock!(actions(Tick));

/// Advance the clock.
#[action]
fn tick(clock: &mut Clock) -> u32 {
    clock.ticks += 1;
    clock.ticks
}

/// Advance the watch.
#[action(name = "tick", type = TickWatch)]
fn tick_watch(watch: &mut WatchBase) {
    watch.mode += 1;
}

agent! {
    struct Watch {
        name: "watch",
        state: { mode: u8 },
        skills: [Clock],
        actions: [TickWatch],
    }
}

fn main() {}
