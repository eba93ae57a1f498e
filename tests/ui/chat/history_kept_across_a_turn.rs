// The history is borrowed before a turn and read after it.
// Text of rustc, `E0502`: docs/chat.md has the cure.
use skill_agent::chat::{Chat, ChatError};

async fn talk(chat: &mut Chat) -> Result<usize, ChatError> {
    let before = chat.history();
    chat.send("Note milk.").await?;
    Ok(before.len())
}

fn main() {}
