// A chat is used before it is built.
// Text of rustc, `E0599`: docs/chat.md has the cure.
use skill_agent::chat::{Chat, Scripted};
use skill_agent::toolbox::Toolbox;

async fn talk(toolbox: Toolbox) {
    let mut chat = Chat::builder(Scripted::new(), toolbox).system("You keep notes.");
    let _ = chat.send("Note milk.").await;
}

fn main() {}
