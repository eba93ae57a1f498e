// The turn of a message is not awaited.
// Text of rustc, `E0599`: docs/chat.md has the cure.
use skill_agent::chat::Chat;

async fn talk(chat: &mut Chat) {
    let turn = chat.send("Note milk.");
    println!("{}", turn.text());
}

fn main() {}
