//! The commands of the person.

use super::Session;
use super::direct::DirectCall;
use crate::Failure;
use crate::terminal::Style;
use skill_agent::chat::Message;
use skill_agent::manifest::{Catalog, CommandOutcome};

/// The commands, with what they do.
const COMMANDS: [(&str, &str); 12] = [
    ("/help", "shows the commands"),
    ("/tools", "shows the tools"),
    (
        "/skills",
        "shows the documents that you can run, with `/skill ID words`",
    ),
    ("/state", "shows the agent's state"),
    (
        "/why",
        "shows which documents were selected for the last message, and why",
    ),
    ("/cost", "shows the tokens of this run"),
    ("/conversations", "shows the conversations"),
    ("/new", "begins a conversation"),
    ("/open", "goes to a conversation: `/open 2`"),
    ("/resume", "continues a turn that was cut off"),
    ("/quit", "ends the program, as Ctrl-D does"),
    ("/skill", "runs a document"),
];

/// Returns the names of all commands, for the completion.
pub(super) fn names(catalog: &Catalog) -> Vec<String> {
    let documents = catalog
        .skills()
        .filter_map(|entry| entry.doc().command.clone());
    let documents = documents.map(|command| format!("/{command}"));
    let own = COMMANDS.iter().map(|(name, _)| (*name).to_owned());
    own.chain(documents).collect()
}

impl Session {
    /// Runs a command. Returns whether the program goes on.
    pub(super) async fn command(&mut self, line: &str) -> Result<bool, Failure> {
        let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match (name, rest.trim()) {
            ("/quit", "") => return Ok(false),
            ("/help", "") => self.show_help()?,
            ("/tools", "") => self.show_tools().await?,
            ("/state", "") => self.show_state().await?,
            ("/why", "") => self.show_explanation()?,
            ("/cost", "") => self.show_cost()?,
            ("/conversations", "") => self.show_conversations().await?,
            ("/new", "") => self.begin().await?,
            ("/open", id) => self.open(id).await?,
            ("/resume", "") => self.resume().await?,
            _ => self.document_command(line).await?,
        }
        Ok(true)
    }

    fn show_help(&mut self) -> Result<(), Failure> {
        for (name, effect) in COMMANDS {
            self.screen
                .line(Style::Plain, &format!("{name:15} {effect}"))?;
        }
        let calls = "A tool's name begins a call of your own: `add a=1 b=2`. Tab completes. Everything else goes to the model.";
        Ok(self.screen.line(Style::Plain, calls)?)
    }

    async fn show_tools(&mut self) -> Result<(), Failure> {
        self.learn_tools().await;
        let now = self.parts.person.tools_now().await;
        for tool in now.tools {
            let listed = &tool.tool.tool;
            let about = listed.description.lines().next().unwrap_or_default();
            let refusal = tool.refusal.map(|reason| format!(" (not now: {reason})"));
            let line = format!("{:15} {about}{}", listed.name, refusal.unwrap_or_default());
            self.screen.line(Style::Plain, &line)?;
        }
        for withheld in now.withheld {
            self.screen.line(
                Style::Plain,
                &format!("{}: {}", withheld.source, withheld.reason),
            )?;
        }
        Ok(())
    }

    async fn show_state(&mut self) -> Result<(), Failure> {
        let state = self.parts.server.state_json().await;
        let state = state.map_err(|error| Failure::Agent(error.to_string()))?;
        let state: serde_json::Value = serde_json::from_str(&state).unwrap_or_default();
        Ok(self.screen.line(Style::Plain, &format!("{state:#}"))?)
    }

    fn show_explanation(&mut self) -> Result<(), Failure> {
        let explanation = self.explanation.as_deref().map(str::trim_end);
        let explanation = explanation.unwrap_or("No message was sent in this run.");
        Ok(self.screen.line(Style::Plain, explanation)?)
    }

    fn show_cost(&mut self) -> Result<(), Failure> {
        let usage = self.usage;
        let mut cost = format!(
            "{} tokens in requests ({} of them cached), {} in answers",
            usage.input, usage.cached, usage.output
        );
        if let Some(prices) = self.prices {
            cost.push_str(&format!(
                "; {:.4} in the currency of --price",
                usage.cost(prices)
            ));
        }
        Ok(self.screen.line(Style::Plain, &cost)?)
    }

    /// Runs the command of a document.
    async fn document_command(&mut self, line: &str) -> Result<(), Failure> {
        match self.parts.catalog.command(line) {
            Ok(CommandOutcome::Text(text)) => self.screen.line(Style::Plain, &text)?,
            Ok(CommandOutcome::Dispatch {
                action, arguments, ..
            }) => {
                self.call(DirectCall::new(action, arguments)).await?;
            }
            Ok(CommandOutcome::Activate { id, body, args, .. }) if self.model.is_some() => {
                let text = format!(
                    "<skill name=\"{id}\">\n{body}\n</skill>\n\n{}",
                    args.join(" ")
                );
                self.say(Message::user(text)).await?;
            }
            // without a model, the person reads it
            Ok(CommandOutcome::Activate { body, .. }) => self.screen.line(Style::Plain, &body)?,
            Ok(_) => {}
            Err(error) => self.screen.line(Style::Plain, &error.to_string())?,
        }
        Ok(())
    }
}
