// A model has a timeout, as in reqwest.
// Text of rustc, `E0599`: docs/chat.md has the cure.
use skill_agent::chat::OpenAi;
use std::time::Duration;

fn model() -> OpenAi {
    OpenAi::new("key", "gpt-5").timeout(Duration::from_secs(30))
}

fn main() {}
