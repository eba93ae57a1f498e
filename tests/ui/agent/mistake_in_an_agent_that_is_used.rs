// An agent with a mistake is used in many places, and the mistake is reported once.
use fixture_ui::clock::{Clock, Tick};
use skill_agent::prelude::*;

agent! {
    struct Watch {
        name: "watch",
        verison: "0.1.0",
        state: { mode: u8 },
        skills: [Clock],
        actions: [SetMode],
    }
}

/// Set the mode.
#[action]
fn set_mode(watch: &mut WatchBase, mode: u8) {
    watch.mode = mode;
}

fn main() {
    let mut watch = Watch::new();
    watch.cmd(Tick {}).unwrap();
    watch.cmd(SetMode { mode: 1 }).unwrap();
    println!("{}", watch.state().clock.ticks);
}
