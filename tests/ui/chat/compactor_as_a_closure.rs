// A compactor is written as a closure.
// Text of ours.
use skill_agent::chat::{Chat, ChatError, Message, Scripted};
use skill_agent::toolbox::Toolbox;

fn build(toolbox: Toolbox) -> Result<Chat, ChatError> {
    let last = |messages: &[Message], _: usize| messages[messages.len() - 2..].to_vec();
    Chat::builder(Scripted::new(), toolbox).compactor(last).build()
}

fn main() {}
