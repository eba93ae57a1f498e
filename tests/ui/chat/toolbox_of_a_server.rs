// A server is given instead of a toolbox.
// Text of rustc, `E0308`: docs/chat.md has the cure.
use skill_agent::chat::{Chat, ChatError, Scripted};
use skill_agent::{Agent, AgentServer};

fn build<A: Agent>(server: &AgentServer<A>) -> Result<Chat, ChatError> {
    Chat::builder(Scripted::new(), server).build()
}

fn main() {}
