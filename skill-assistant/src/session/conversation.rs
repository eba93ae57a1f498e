//! The conversations of the person.

use super::Session;
use crate::Failure;
use crate::terminal::Style;
use skill_agent::chat::{ConversationInfo, ConversationStatus};

/// Returns the id of a conversation. Ids sort by their numbers.
pub(super) fn id_of(number: u32) -> String {
    number.to_string()
}

impl Session {
    /// Shows the conversations, the latest first.
    pub(super) async fn show_conversations(&mut self) -> Result<(), Failure> {
        let conversations = self.parts.chats.list("").await?;
        if conversations.is_empty() {
            self.screen
                .line(Style::Plain, "There is no conversation yet.")?;
        }
        for info in conversations {
            let mark = if info.id == self.conversation {
                '*'
            } else {
                ' '
            };
            let line = format!("{mark} {}  {}{}", info.id, info.title, waits(&info));
            self.screen.line(Style::Plain, &line)?;
        }
        Ok(())
    }

    /// Begins a conversation with the next message.
    pub(super) async fn begin(&mut self) -> Result<(), Failure> {
        let conversations = self.parts.chats.list("").await?;
        let numbers = conversations
            .iter()
            .filter_map(|info| info.id.parse::<u32>().ok());
        self.conversation = id_of(numbers.max().unwrap_or(0) + 1);
        let begun = format!(
            "Conversation {} begins with your next message.",
            self.conversation
        );
        Ok(self.screen.line(Style::Plain, &begun)?)
    }

    /// Goes to another conversation.
    pub(super) async fn open(&mut self, id: &str) -> Result<(), Failure> {
        let conversations = self.parts.chats.list("").await?;
        let Some(info) = conversations.iter().find(|info| info.id == id) else {
            let unknown = format!("There is no conversation {id}; /conversations lists them.");
            return Ok(self.screen.line(Style::Plain, &unknown)?);
        };
        self.conversation = info.id.clone();
        self.screen.line(
            Style::Plain,
            &format!("Conversation {}: {}", info.id, info.title),
        )?;
        if info.status == ConversationStatus::Waiting {
            self.decide_pending().await?;
        }
        Ok(())
    }
}

fn waits(info: &ConversationInfo) -> &'static str {
    match info.status {
        ConversationStatus::Waiting => " (waits for your approval)",
        ConversationStatus::Interrupted => " (cut off)",
        _ => "",
    }
}
