// The temperature is set on the builder itself.
// Text of rustc, `E0599`: docs/chat.md has the cure.
use skill_agent::chat::ChatBuilder;

fn cool(chat: ChatBuilder) -> ChatBuilder {
    chat.temperature(0.2)
}

fn main() {}
