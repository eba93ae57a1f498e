// A chat is cloned to try two answers.
// Text of rustc, `no method named `clone` found for struct `Chat``: docs/chat.md has the cure.
use skill_agent::chat::Chat;

fn branch(chat: Chat) -> Chat {
    chat.clone()
}

fn main() {}
