// A chat is shared by two tasks.
// Text of rustc, `E0596`: docs/chat.md has the cure.
use skill_agent::chat::{Chat, ChatError};
use std::sync::Arc;

async fn talk(chat: Arc<Chat>) -> Result<(), ChatError> {
    chat.send("Note milk.").await?;
    Ok(())
}

fn main() {}
