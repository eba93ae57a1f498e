// A message is written as a literal of its struct.
// Text of rustc, `E0639`: docs/chat.md has the cure.
use skill_agent::chat::{Message, Role, TextPart};

fn message() -> Message {
    Message { role: Role::User, parts: vec![TextPart::new("Note milk.").into()] }
}

fn main() {}
