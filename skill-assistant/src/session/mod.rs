//! The session of a person: lines, turns, commands.

mod approval;
mod commands;
mod conversation;
mod direct;
mod turn;

use crate::Failure;
use crate::assistant::Parts;
use crate::models::Model;
use crate::terminal::{Known, Line, Lines, Screen, Style};
use skill_agent::chat::{ConversationStatus, Prices, Usage};
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
        loop {
            match self.next_line().await? {
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
    }

    /// Plays the messages of a recording.
    pub(crate) async fn play(
        &mut self,
        messages: impl Iterator<Item = &'static str>,
        approves_all: bool,
    ) -> Result<(), Failure> {
        self.approves_all = approves_all;
        self.conversation = "demo".to_owned();
        let begins =
            "This is a recorded conversation. The agent is real: it runs the calls, and asks you.";
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

    async fn next_line(&mut self) -> Result<Line, Failure> {
        self.screen.end_line()?;
        // with a line editor, Ctrl-C is a key
        tokio::select! {
            line = self.lines.next(PROMPT) => Ok(line?),
            _ = self.interrupts.recv() => Ok(Line::End),
        }
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
            self.screen.line(Style::Plain, NO_MODEL)?;
        } else {
            self.say(line).await?;
        }
        Ok(true)
    }

    /// Takes up the conversation that changed last.
    async fn take_up(&mut self) -> Result<(), Failure> {
        let conversations = self.parts.chats.list("").await?;
        let Some(last) = conversations.first() else {
            self.conversation = conversation::id_of(1);
            return Ok(());
        };
        self.conversation = last.id.clone();
        let title = format!("Conversation {}: {}", last.id, last.title);
        self.screen.line(Style::Dim, &title)?;
        match last.status {
            ConversationStatus::Waiting => self.decide_pending().await,
            ConversationStatus::Interrupted => {
                let hint = "Its last turn was cut off. /resume continues it.";
                Ok(self.screen.line(Style::Dim, hint)?)
            }
            _ => Ok(()),
        }
    }
}

/// The answer to a message if there is no model.
const NO_MODEL: &str = if cfg!(feature = "http") {
    "There is no model. Set OPENAI_API_KEY or ANTHROPIC_API_KEY, start a local server, or pass --url; or try --demo. Commands and \
     direct calls such as `add a=1 b=2` work without one."
} else {
    "There is no model, because the program was built without `http`. Commands and direct calls such as `add a=1 b=2` work \
     without one, and --demo plays a conversation."
};
