// The approver is set on the chat.
// Text of rustc, `E0599`: docs/chat.md has the cure.
use skill_agent::chat::ChatBuilder;
use skill_agent::server::ApprovalRequest;

fn ask(chat: ChatBuilder) -> ChatBuilder {
    chat.approver(|_: ApprovalRequest| async { true })
}

fn main() {}
