// A provider, which is a form of tools, is given instead of a model.
// Text of ours.
use skill_agent::chat::{Chat, ChatError};
use skill_agent::models::Provider;
use skill_agent::toolbox::Toolbox;

fn build(toolbox: Toolbox) -> Result<Chat, ChatError> {
    Chat::builder(Provider::OPENAI_CHAT, toolbox).build()
}

fn main() {}
