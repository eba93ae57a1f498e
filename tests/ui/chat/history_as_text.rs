// A history that was stored as JSON text is given as text.
// Text of rustc, `E0308`: docs/chat.md has the cure.
use skill_agent::chat::{Chat, ChatError, Scripted};
use skill_agent::toolbox::Toolbox;

fn build(toolbox: Toolbox, stored: String) -> Result<Chat, ChatError> {
    Chat::builder(Scripted::new(), toolbox).history(stored).build()
}

fn main() {}
