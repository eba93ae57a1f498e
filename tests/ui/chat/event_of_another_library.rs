// An event has the name that other libraries give it.
// Text of rustc, `E0599`: docs/chat.md has the cure.
use skill_agent::chat::Event;

fn show(event: Event) {
    if let Event::ToolCall(call) = event {
        println!("{call:?}");
    }
}

fn main() {}
