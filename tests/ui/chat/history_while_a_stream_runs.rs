// The history is read while a stream of the chat runs.
// Text of rustc, `E0502`: docs/chat.md has the cure.
use skill_agent::chat::{Chat, ChatError};

async fn talk(chat: &mut Chat) -> Result<(), ChatError> {
    let mut turn = chat.stream("Note milk.");
    while let Some(event) = turn.next().await {
        println!("{:?} after {} messages", event?, chat.history().len());
    }
    Ok(())
}

fn main() {}
