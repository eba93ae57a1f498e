// The name of a model is given instead of a model.
// Text of ours.
use skill_agent::chat::{Chat, ChatError};
use skill_agent::toolbox::Toolbox;

fn build(toolbox: Toolbox) -> Result<Chat, ChatError> {
    Chat::builder("gpt-5", toolbox).build()
}

fn main() {}
