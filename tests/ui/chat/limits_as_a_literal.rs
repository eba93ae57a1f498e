// Limits are written as a literal of their struct.
// Text of rustc, `E0639`: docs/chat.md has the cure.
use skill_agent::chat::Limits;

fn limits() -> Limits {
    Limits { steps: 5, ..Limits::default() }
}

fn main() {}
