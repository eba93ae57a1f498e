// The events of a turn that owns its chat are read by a `for` loop.
// Text of ours.
use skill_agent::chat::Chat;

async fn talk(chat: Chat) {
    for event in chat.into_stream("Note milk.") {
        println!("{event:?}");
    }
}

fn main() {}
