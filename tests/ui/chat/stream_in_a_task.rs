// A stream that borrows its chat is moved into a task.
// Text of rustc, `E0597`: docs/chat.md has the cure.
use skill_agent::chat::Chat;

async fn talk(mut chat: Chat) {
    let mut turn = chat.stream("Note milk.");
    tokio::spawn(async move {
        while let Some(event) = turn.next().await {
            println!("{event:?}");
        }
    });
}

fn main() {}
