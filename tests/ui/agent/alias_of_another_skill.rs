// A skill is listed under the name of another skill's field.
use skill_agent::prelude::*;

fixture_ui::calculator!(actions(Add));

/// Add two numbers.
#[action]
fn add(calculator: &mut Calculator, a: f64, b: f64) -> f64 {
    calculator.last_result = a + b;
    calculator.last_result
}

fixture_ui::clock!(actions(Tick));

/// Advance the clock.
#[action]
fn tick(clock: &mut Clock) -> u32 {
    clock.ticks += 1;
    clock.ticks
}

agent! {
    struct Watch {
        name: "watch",
        skills: [Calculator, Clock as calculator],
    }
}

fn main() {}
