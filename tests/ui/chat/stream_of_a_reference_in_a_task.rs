// A stream of a chat behind a reference is moved into a task.
// Text of rustc, `E0521`: docs/chat.md has the cure.
use skill_agent::chat::Chat;

async fn talk(chat: &mut Chat) {
    let mut turn = chat.stream("Note milk.");
    tokio::spawn(async move {
        while let Some(event) = turn.next().await {
            println!("{event:?}");
        }
    });
}

fn main() {}
