// A layer is written as a closure.
// Text of ours.
use skill_agent::chat::{Chat, ChatError, ChatRequest, Scripted};
use skill_agent::toolbox::Toolbox;

fn build(toolbox: Toolbox) -> Result<Chat, ChatError> {
    let layer = |request: ChatRequest| request;
    Chat::builder(Scripted::new(), toolbox).layer(layer).build()
}

fn main() {}
