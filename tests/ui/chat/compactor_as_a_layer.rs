// A compactor is added as a layer.
// Text of ours.
use skill_agent::chat::{Chat, ChatError, Scripted, Summarize};
use skill_agent::toolbox::Toolbox;

fn build(toolbox: Toolbox) -> Result<Chat, ChatError> {
    let small = Scripted::new();
    Chat::builder(Scripted::new(), toolbox).layer(Summarize::new(small)).build()
}

fn main() {}
