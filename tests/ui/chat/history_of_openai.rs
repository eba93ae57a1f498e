// A history has the messages of OpenAI.
// Text of rustc, `E0308`: docs/chat.md has the cure.
use serde_json::json;
use skill_agent::chat::{Chat, ChatError, Scripted};
use skill_agent::toolbox::Toolbox;

fn build(toolbox: Toolbox) -> Result<Chat, ChatError> {
    let messages = vec![
        json!({ "role": "user", "content": "Note milk." }),
        json!({ "role": "assistant", "content": "Noted." }),
    ];
    Chat::builder(Scripted::new(), toolbox).history(messages).build()
}

fn main() {}
