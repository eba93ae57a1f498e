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
            let line = format!("{mark} {}  {}{}", info.id, title_of(&info), waits(&info));
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
        match conversations.iter().find(|info| info.id == id) {
            Some(info) => self.go_to(info).await,
            None if id.is_empty() => Ok(self
                .screen
                .line(Style::Plain, "Write a number: `/open 2`.")?),
            None => {
                let unknown = format!("There is no conversation {id}; /conversations lists them.");
                Ok(self.screen.line(Style::Plain, &unknown)?)
            }
        }
    }

    /// Takes up the conversation that changed last.
    pub(super) async fn take_up(&mut self) -> Result<(), Failure> {
        let conversations = self.parts.chats.list("").await?;
        match conversations.first() {
            Some(last) => self.go_to(last).await,
            None => {
                self.conversation = id_of(1);
                Ok(())
            }
        }
    }

    async fn go_to(&mut self, info: &ConversationInfo) -> Result<(), Failure> {
        self.conversation.clone_from(&info.id);
        let title = format!("Conversation {}: {}", info.id, title_of(info));
        self.screen.line(Style::Dim, &title)?;
        let hint = match info.status {
            // the lines of a pipe are meant for other things
            ConversationStatus::Waiting if self.lines.is_terminal() => {
                return self.decide_pending().await;
            }
            ConversationStatus::Waiting => "A call waits for your approval. /resume asks you.",
            ConversationStatus::Interrupted => "Its last turn was cut off. /resume continues it.",
            _ => return Ok(()),
        };
        Ok(self.screen.line(Style::Dim, hint)?)
    }
}

fn title_of(info: &ConversationInfo) -> &str {
    if info.title.is_empty() {
        "(empty)"
    } else {
        &info.title
    }
}

fn waits(info: &ConversationInfo) -> &'static str {
    match info.status {
        ConversationStatus::Waiting => " (waits for your approval)",
        ConversationStatus::Interrupted => " (cut off)",
        _ => "",
    }
}
