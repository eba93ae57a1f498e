// A server is called on an instance with an action of another skill.
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
    struct Talker {
        name: "talker",
        skills: [Chat as support],
    }
}

async fn add_on(server: &AgentServer<Talker>) {
    server.instance(Talker::support).call(Add { a: 1.0, b: 2.0 }).await.unwrap();
}

fn main() {}
