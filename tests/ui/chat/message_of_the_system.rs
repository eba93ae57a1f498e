// The history begins with a message of the system, as in OpenAI's API.
// Text of rustc, `E0599`: docs/chat.md has the cure.
use skill_agent::chat::Message;

fn history() -> Vec<Message> {
    vec![Message::system("You keep notes."), Message::user("Hi")]
}

fn main() {}
