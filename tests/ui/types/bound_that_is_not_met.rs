// A function takes agents with a skill, and the argument is an agent without it.
use fixture_ui::calculator::Calculator;
use skill_agent::prelude::*;
use fixture_chat::Chat;

agent! {
    struct Talker {
        name: "talker",
        skills: [Chat],
    }
}

fn last_result<G: HasSkill<Calculator>>(agent: &G) -> f64 {
    agent.state_of().last_result
}

fn main() {
    last_result(&Talker::new());
}
