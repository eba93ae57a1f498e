// A model is given by reference.
// Text of ours.
use skill_agent::chat::{Chat, ChatError, Scripted};
use skill_agent::toolbox::Toolbox;

fn build(model: &Scripted, toolbox: Toolbox) -> Result<Chat, ChatError> {
    Chat::builder(model, toolbox).build()
}

fn main() {}
