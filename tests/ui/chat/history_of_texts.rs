// A history is a list of texts.
// Text of rustc, `E0308`: docs/chat.md has the cure.
use skill_agent::chat::{Chat, ChatError, Scripted};
use skill_agent::toolbox::Toolbox;

fn build(toolbox: Toolbox) -> Result<Chat, ChatError> {
    Chat::builder(Scripted::new(), toolbox).history(["Note milk.", "Noted."]).build()
}

fn main() {}
