// A history that was stored as JSON text is given as text.
// Text of ours.
use skill_agent::chat::{Chat, ChatError, Scripted};
use skill_agent::toolbox::Toolbox;

fn build(toolbox: Toolbox, stored: String) -> Result<Chat, ChatError> {
    Chat::builder(Scripted::new(), toolbox).history(stored).build()
}

fn main() {}
