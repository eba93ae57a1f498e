// A history is a list of texts.
// Text of ours.
use skill_agent::chat::{Chat, ChatError, Scripted};
use skill_agent::toolbox::Toolbox;

fn build(toolbox: Toolbox) -> Result<Chat, ChatError> {
    Chat::builder(Scripted::new(), toolbox).history(["Note milk.", "Noted."]).build()
}

fn main() {}
