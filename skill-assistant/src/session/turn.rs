//! A turn of a conversation, as it happens.

use super::{NO_MODEL, Session};
use crate::Failure;
use crate::terminal::Style;
use skill_agent::chat::{
    Called, ChatError, Event, Message, PendingCall, RunningTurn, Selected, Stop, Turn,
};
use skill_agent::server::Verdict;
use skill_agent::toolbox::ToolError;
use std::sync::Arc;

/// The maximum number of characters of a call's arguments or its result on the screen.
const SHOWN: usize = 160;

impl Session {
    /// Sends a message, and shows its turn.
    pub(super) async fn say(&mut self, message: impl Into<Message>) -> Result<(), Failure> {
        let begun = self.parts.chats.start(&self.conversation, message).await;
        self.follow(begun).await
    }

    /// Continues the turn that was cut off.
    pub(super) async fn resume(&mut self) -> Result<(), Failure> {
        if self.model.is_none() {
            return Ok(self.screen.line(Style::Plain, NO_MODEL)?);
        }
        let begun = self.parts.chats.resume(&self.conversation).await;
        self.follow(begun).await
    }

    /// Asks for the calls that wait, and shows the rest of their turn.
    pub(super) async fn decide_pending(&mut self) -> Result<(), Failure> {
        if self.model.is_none() {
            return Ok(self.screen.line(Style::Plain, NO_MODEL)?);
        }
        let page = self.parts.chats.get(&self.conversation).await?;
        self.decide_each(page.pending).await
    }

    /// Shows a turn until it has ended and no call waits.
    async fn follow(&mut self, begun: Result<RunningTurn, ChatError>) -> Result<(), Failure> {
        match begun {
            Ok(turn) => {
                let pending = self.show(turn).await?;
                self.decide_each(pending).await
            }
            Err(ChatError::Pending(_)) => self.decide_pending().await,
            Err(ChatError::NothingToResume | ChatError::Unknown { .. }) => Ok(self
                .screen
                .line(Style::Plain, "There is no turn to continue.")?),
            Err(error) => Ok(self.screen.line(Style::Plain, &error.to_string())?),
        }
    }

    async fn decide_each(&mut self, mut pending: Vec<PendingCall>) -> Result<(), Failure> {
        while let Some(call) = pending.first() {
            let verdict = match self.ask(call).await? {
                Some(verdict) => verdict,
                None if self.is_demo => Verdict::Deny("the person gave no answer".into()),
                None => {
                    // the call waits for the next run
                    self.has_ended = true;
                    return Ok(());
                }
            };
            let chats = &self.parts.chats;
            pending = match chats.decide(&self.conversation, &call.id, verdict).await {
                Ok(turn) => self.show(turn).await?,
                Err(error) => {
                    self.screen.line(Style::Plain, &error.to_string())?;
                    return Ok(());
                }
            };
        }
        Ok(())
    }

    /// Shows the events of a turn. Ctrl-C cancels the turn. Returns the calls that wait for approval.
    async fn show(&mut self, turn: RunningTurn) -> Result<Vec<PendingCall>, Failure> {
        let mut events = turn.events();
        let (mut calls, mut is_cut) = (Vec::new(), false);
        loop {
            let event = tokio::select! {
                event = events.next() => event,
                _ = self.interrupts.recv() => {
                    // the end of the turn follows
                    self.parts.chats.cancel(&self.conversation).await?;
                    continue;
                }
            };
            match event.map(|event| event.event) {
                Some(Ok(Event::Done(turn))) => {
                    if is_cut {
                        self.screen.end_line()?;
                        self.screen.text(turn.text())?;
                    }
                    return self.show_end(turn);
                }
                Some(Ok(Event::Lost { .. } | Event::Restarted)) => is_cut = true,
                Some(Ok(event)) => self.show_event(event, &mut calls)?,
                Some(Err(error)) => {
                    self.show_error(&error)?;
                    return Ok(Vec::new());
                }
                None => return Ok(Vec::new()),
            }
        }
    }

    fn show_event(
        &mut self,
        event: Event,
        calls: &mut Vec<(String, String)>,
    ) -> Result<(), Failure> {
        match event {
            Event::Selected(selected) => self.show_selected(selected)?,
            Event::Text(text) => self.screen.text(&text)?,
            Event::Reasoning(_) => self.screen.status("thinking …")?,
            Event::Calling(call) => {
                calls.push((call.id, call.call.name));
                self.show_running(calls)?;
            }
            Event::Progress(progress) => {
                let status = format!("{}: {}", progress.name, progress.value);
                self.screen.status(&status)?;
            }
            Event::Called(call) => {
                calls.retain(|(id, _)| *id != call.id);
                // the person is asked about a call that waits
                if !matches!(call.result, Err(ToolError::Pending(_))) {
                    self.screen.line(Style::Dim, &called(&call))?;
                }
                self.show_running(calls)?;
            }
            Event::Retry(retry) => {
                let begins = if retry.discard {
                    " from the beginning"
                } else {
                    ""
                };
                let again = format!("({}; trying again{begins})", retry.error);
                self.screen.line(Style::Dim, &again)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn show_running(&mut self, calls: &[(String, String)]) -> Result<(), Failure> {
        let names: Vec<&str> = calls.iter().map(|(_, name)| &**name).collect();
        if !names.is_empty() {
            self.screen.status(&format!("{} …", names.join(", ")))?;
        }
        Ok(())
    }

    fn show_selected(&mut self, selected: Selected) -> Result<(), Failure> {
        if !selected.loaded.is_empty() {
            let loaded = format!("  (documents: {})", selected.loaded.join(", "));
            self.screen.line(Style::Dim, &loaded)?;
        }
        self.explanation = Some(selected.explanation);
        Ok(())
    }

    fn show_end(&mut self, turn: Turn) -> Result<Vec<PendingCall>, Failure> {
        self.usage += turn.usage;
        self.screen.end_line()?;
        let note = match turn.stop {
            Stop::Answered if turn.text().trim().is_empty() => "(the model gave no answer)",
            Stop::Answered | Stop::Approval => return Ok(turn.pending),
            Stop::Aborted => "(cancelled)",
            Stop::Cancelled => "(cancelled; /resume continues the turn)",
            Stop::Steps => "(the turn has reached its limit of steps; /resume continues it)",
            Stop::Tokens => "(the turn has reached its limit of tokens)",
            Stop::Time => "(the turn has reached its time limit)",
            Stop::Repeated => "(the model made the same call again and again)",
            Stop::Truncated => "(the answer was cut off)",
            Stop::Refused => "(the model refused)",
            _ => "(the turn has ended early)",
        };
        self.screen.line(Style::Dim, note)?;
        Ok(turn.pending)
    }

    fn show_error(&mut self, error: &Arc<ChatError>) -> Result<(), Failure> {
        let hint = format!("{error}; /resume tries again");
        Ok(self.screen.line(Style::Plain, &hint)?)
    }
}

/// Returns the line of a call that has ended.
fn called(call: &Called) -> String {
    let name = &call.name;
    match &call.result {
        Ok(output) => {
            let output = output.text();
            let output = if output == "null" { "done" } else { &*output };
            let arguments = shortened(&call.arguments);
            format!("  {name}{arguments} -> {}", shortened(output))
        }
        Err(error) => format!("  {}", shortened(&error.to_string())),
    }
}

/// Returns the beginning of a text, in one line.
pub(super) fn shortened(text: &str) -> String {
    let line = text.replace('\n', " ");
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
