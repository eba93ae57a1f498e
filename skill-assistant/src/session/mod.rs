//! The session of a person: lines, turns, commands.

mod approval;
mod commands;
mod conversation;
mod direct;
mod turn;
mod undo;

use crate::Failure;
use crate::assistant::Parts;
use crate::models::Model;
use crate::terminal::{Kept, Known, Line, Lines, Screen, Style};
use serde_json::Value;
use skill_agent::chat::{Prices, Usage};
use std::fmt;
use std::future::ready;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tokio::signal::unix::{Signal, SignalKind, signal};

const PROMPT: &str = "> ";

/// The session of a person with the assistant.
pub(crate) struct Session {
    parts: Parts,
    model: Option<Model>,
    lines: Lines,
    known: Arc<Mutex<Known>>,
    screen: Screen,
    interrupts: Signal,
    /// The id of the conversation that the person sees.
    conversation: String,
    prices: Option<Prices>,
    /// The tokens of this run of the program.
    usage: Usage,
    /// Why the documents of the last message were selected.
    explanation: Option<String>,
    /// Whether every call is approved without a question.
    approves_all: bool,
    /// Whether the conversation is a recording, which goes on at the end of the input.
    is_demo: bool,
    /// Whether the input has ended at a question.
    has_ended: bool,
}

impl Session {
    pub(crate) fn new(
        parts: Parts,
        model: Option<Model>,
        prices: Option<Prices>,
        history: Option<PathBuf>,
    ) -> Result<Self, Failure> {
        let known = Arc::new(Mutex::new(Known {
            commands: commands::names(&parts.catalog),
            tools: Vec::new(),
            folder: parts.folder.clone(),
        }));
        Ok(Self {
            lines: Lines::start(history, Arc::clone(&known))?,
            known,
            screen: Screen::new(),
            interrupts: signal(SignalKind::interrupt())?,
            conversation: String::new(),
            prices,
            usage: Usage::default(),
            explanation: None,
            approves_all: false,
            is_demo: false,
            has_ended: false,
            parts,
            model,
        })
    }

    /// Says which model there is, and takes up the last conversation.
    pub(crate) async fn greet(&mut self, data: &Path) -> Result<(), Failure> {
        let model = match &self.model {
            Some(model) => format!("The model is {}.", model.name),
            None => NO_MODEL.to_owned(),
        };
        self.screen.line(Style::Plain, &model)?;
        let help = format!(
            "Type a message, or /help. The data is in {}.",
            data.display()
        );
        self.screen.line(Style::Dim, &help)?;
        self.learn_tools().await;
        self.take_up().await
    }

    /// Reads lines until the end of the input.
    pub(crate) async fn run(&mut self) -> Result<(), Failure> {
        while !self.has_ended {
            self.screen.end_line()?;
            match self.next_line(PROMPT, Kept::Yes).await? {
                Line::Text(line) => {
                    if !self.handle(line.trim()).await? {
                        return Ok(());
                    }
                }
                Line::Interrupted => {
                    let hint = "Ctrl-D ends the program.";
                    self.screen.line(Style::Dim, hint)?;
                }
                Line::End => return Ok(()),
            }
        }
        Ok(())
    }

    /// Plays the messages of a recording.
    pub(crate) async fn play(
        &mut self,
        messages: impl Iterator<Item = &'static str>,
        approves_all: bool,
    ) -> Result<(), Failure> {
        (self.approves_all, self.is_demo) = (approves_all, true);
        self.conversation = "demo".to_owned();
        let begins = "This is a recorded conversation. The agent is real: it runs the calls, and asks you. Its files \
             are in a folder that is removed at the end.";
        self.screen.line(Style::Dim, begins)?;
        for message in messages {
            self.screen
                .line(Style::Plain, &format!("\n{PROMPT}{message}"))?;
            self.say(message).await?;
        }
        let ends = "\nThe recording ends here. Without `--demo`, the conversation is yours.";
        Ok(self.screen.line(Style::Dim, ends)?)
    }

    /// Stops the agent.
    pub(crate) async fn end(mut self) -> Result<(), Failure> {
        self.screen.end_line()?;
        let stopped = self.parts.server.stop().await;
        stopped.map_err(|error| Failure::Agent(error.to_string()))?;
        Ok(())
    }

    /// Reads a line after a prompt.
    async fn next_line(&mut self, prompt: &str, kept: Kept) -> Result<Line, Failure> {
        if self.lines.is_terminal() {
            // there, Ctrl-C is a key; an earlier one was for the turn
            let line = self.lines.next(prompt, kept).await?;
            self.forget_interrupts().await;
            return Ok(line);
        }
        tokio::select! {
            line = self.lines.next(prompt, kept) => Ok(line?),
            _ = self.interrupts.recv() => Ok(Line::End),
        }
    }

    /// Forgets Ctrl-C of the past.
    async fn forget_interrupts(&mut self) {
        loop {
            tokio::select! {
                biased;
                _ = self.interrupts.recv() => {}
                () = ready(()) => return,
            }
        }
    }

    /// Returns the state of the agent.
    async fn state(&self) -> Result<Value, Failure> {
        let failed = |error: &dyn fmt::Display| Failure::Agent(error.to_string());
        let state = self.parts.server.state_json().await;
        let state = state.map_err(|error| failed(&error))?;
        serde_json::from_str(&state).map_err(|error| failed(&error))
    }

    /// Handles a line. Returns whether the program goes on.
    async fn handle(&mut self, line: &str) -> Result<bool, Failure> {
        if line.is_empty() {
            return Ok(true);
        }
        if line.starts_with('/') {
            return self.command(line).await;
        }
        if let Some(call) = self.direct_call(line).await {
            self.call(call).await?;
        } else if self.model.is_none() {
            match unknown_tool(line) {
                Some(name) => {
                    let text = format!("There is no tool `{name}`; `/tools` lists all.");
                    self.screen.line(Style::Plain, &text)?;
                }
                None => self.screen.line(Style::Plain, NO_MODEL)?,
            }
        } else {
            self.say(line).await?;
        }
        Ok(true)
    }
}

/// Returns the first word of a line that is more likely a call than a message.
fn unknown_tool(line: &str) -> Option<&str> {
    let name = line.split_whitespace().next()?;
    (name.contains('_') || line.contains('=')).then_some(name)
}

/// The answer to a message if there is no model.
const NO_MODEL: &str = if cfg!(feature = "http") {
    "There is no model. Set OPENAI_API_KEY or ANTHROPIC_API_KEY, start a local server, or pass --url; or try --demo. Commands and \
     direct calls such as `add a=1 b=2` work without one."
} else {
    "There is no model, because the program was built without `http`. Commands and direct calls such as `add a=1 b=2` work \
     without one, and --demo plays a conversation."
};
