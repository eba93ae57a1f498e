//! Takes the last turn back, and brings it back.

use super::Session;
use super::approval::{Answer, pretty};
use super::turn::shortened;
use crate::Failure;
use crate::terminal::Style;
use skill_agent::chat::{ChatError, RewindError, RewindPreview};

impl Session {
    /// Shows the effect of taking the last turn back, and takes it back if the person agrees.
    pub(super) async fn undo(&mut self) -> Result<(), Failure> {
        let chats = &self.parts.chats;
        let last = match chats.get(&self.conversation).await {
            Ok(page) => page.info.last_turn,
            Err(ChatError::Unknown { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        let Some(turn) = last else {
            return Ok(self.screen.line(
                Style::Plain,
                "There is no turn to take back; calls of your own are none.",
            )?);
        };
        let preview = self
            .parts
            .chats
            .preview_rewind(&self.conversation, turn)
            .await;
        let Some(is_forced) = self.agree(preview, "Take the last turn back?").await? else {
            return Ok(());
        };
        let mut rewind = self.parts.chats.rewind(&self.conversation, turn);
        if is_forced {
            rewind = rewind.force();
        }
        match rewind.await {
            Ok(rewound) => {
                let taken = format!("Taken back: {}", shortened(&rewound.message.text()));
                Ok(self.screen.line(Style::Plain, &taken)?)
            }
            Err(error) => self.refused(&error),
        }
    }

    /// Shows the effect of bringing the last turn back, and brings it back if the person agrees.
    pub(super) async fn redo(&mut self) -> Result<(), Failure> {
        let preview = self.parts.chats.preview_redo(&self.conversation).await;
        let Some(is_forced) = self.agree(preview, "Bring the turn back?").await? else {
            return Ok(());
        };
        let mut redo = self.parts.chats.redo(&self.conversation);
        if is_forced {
            redo = redo.force();
        }
        match redo.await {
            Ok(rewound) => {
                let back = format!("Back again: {}", shortened(&rewound.message.text()));
                Ok(self.screen.line(Style::Plain, &back)?)
            }
            Err(error) => self.refused(&error),
        }
    }

    /// Shows the effect and asks. Returns whether other changes are to be lost, or `None` if nothing is to happen.
    async fn agree(
        &mut self,
        preview: Result<RewindPreview, RewindError>,
        question: &str,
    ) -> Result<Option<bool>, Failure> {
        let preview = match preview {
            Ok(preview) => preview,
            Err(error) => return self.refused(&error).map(|()| None),
        };
        for state in &preview.states {
            self.screen
                .line(Style::Plain, &format!("  {}", state.skill))?;
            self.show_diff(&pretty(&state.now), &pretty(&state.then))?;
        }
        for effect in &preview.stays {
            self.screen
                .line(Style::Plain, &format!("  stays: {effect}"))?;
        }
        let answer = match &preview.refused {
            None => self.answer(question).await?,
            Some(RewindError::Changed { skill, by, .. }) => {
                let changed =
                    format!("  `{skill}` was changed since by {by}; that change would be lost");
                self.screen.line(Style::Plain, &changed)?;
                self.answer(question).await?
            }
            Some(error) => return self.refused(error).map(|()| None),
        };
        self.has_ended = answer == Answer::None;
        if answer != Answer::Yes {
            self.screen.line(Style::Plain, "Nothing was changed.")?;
        }
        Ok((answer == Answer::Yes).then_some(preview.refused.is_some()))
    }

    fn refused(&mut self, error: &RewindError) -> Result<(), Failure> {
        let text = match error {
            RewindError::NothingToRedo { .. } | RewindError::Chat(ChatError::Unknown { .. }) => {
                "There is no turn to bring back.".to_owned()
            }
            error => error.to_string(),
        };
        Ok(self.screen.line(Style::Plain, &text)?)
    }
}
