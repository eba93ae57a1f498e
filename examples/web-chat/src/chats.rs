//! The conversations in a file.

use crate::assistant::Assistant;
use skill_agent::AgentServer;
use skill_agent::chat::{BuildError, Chat, ChatModel, Conversations, Limits};
use skill_agent::prelude::Agent;
use skill_agent::server::{ApprovalRequest, Verdict};
use skill_agent::store::Redb;
use skill_agent::toolbox::Toolbox;
use std::sync::Arc;
use std::time::Duration;

/// The maximum number of conversations of all clients.
pub const MAX_CHATS: usize = 100;

/// The maximum size of a conversation, in bytes.
pub const MAX_CHAT_BYTES: usize = 1 << 20;

/// Opens the conversations in a file. Each of them has an agent of its own, with its own notes.
///
/// # Errors
/// Returns an error if the file has conversations that cannot be read.
pub async fn open(store: Redb, model: Arc<dyn ChatModel>) -> Result<Conversations, BuildError> {
    // the log of this agent keeps the conversations, and its notes stay empty
    let keeper = AgentServer::builder(Assistant::with_id("keeper")).store(store.clone());
    let keeper = keeper.start().await?;
    let chats = Conversations::open(&keeper, move |id| {
        let agent = AgentServer::builder(Assistant::with_id(id))
            .store(store.clone())
            .approver(|_: ApprovalRequest| async { Verdict::Later });
        let model = Arc::clone(&model);
        async move {
            let toolbox = Toolbox::of(&agent.start().await?);
            let limits = Limits::default().time(Duration::from_secs(5 * 60));
            let chat = Chat::builder(model, toolbox).system("You keep notes.");
            Ok(chat.limits(limits))
        }
    });
    let limited = chats.max_conversations(MAX_CHATS).max_bytes(MAX_CHAT_BYTES);
    Ok(limited.await?)
}
