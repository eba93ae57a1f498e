// The events of a turn are read by a `for` loop.
// Text of ours.
use skill_agent::chat::{Chat, ChatError};

async fn talk(chat: &mut Chat) -> Result<(), ChatError> {
    for event in chat.stream("Note milk.") {
        println!("{:?}", event?);
    }
    Ok(())
}

fn main() {}
