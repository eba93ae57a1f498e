// A command for one skill goes to an instance of another.
use skill_agent::prelude::*;
use fixture_chat::Chat;

fixture_ui::calculator!(actions(Add));

/// Add two numbers.
#[action]
fn add(calculator: &mut Calculator, a: f64, b: f64) -> f64 {
    calculator.last_result = a + b;
    calculator.last_result
}

agent! {
    struct MathAgent {
        name: "math_agent",
        skills: [Calculator as calc, Chat as talk],
    }
}

fn main() {
    MathAgent::new().talk().cmd(Add { a: 1.0, b: 2.0 }).unwrap();
}
