//! The commands of the person.

use super::Session;
use crate::Failure;
use crate::terminal::Style;
use skill_agent::chat::Message;
use skill_agent::manifest::{Catalog, CommandOutcome};

/// The commands, with what they do.
const COMMANDS: [(&str, &str); 14] = [
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
    (
        "/undo",
        "takes the last turn back, after it has shown the effect",
    ),
    ("/redo", "brings the turn back, until you send a message"),
    ("/conversations", "shows the conversations"),
    ("/new", "begins a conversation"),
    ("/open", "goes to a conversation: `/open 2`"),
    ("/resume", "continues a turn that was cut off"),
    ("/quit", "ends the program, as Ctrl-D does"),
    ("/skill", "runs a document"),
];

/// The commands that are not followed by words.
const WITHOUT_WORDS: [&str; 10] = [
    "/tools",
    "/state",
    "/why",
    "/cost",
    "/undo",
    "/redo",
    "/conversations",
    "/new",
    "/resume",
    "/quit",
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
            ("/undo", "") => self.undo().await?,
            ("/redo", "") => self.redo().await?,
            ("/new", "") => self.begin().await?,
            ("/open", id) => self.open(id).await?,
            ("/resume", "") => self.resume().await?,
            (own, _) if WITHOUT_WORDS.contains(&own) => {
                let text = format!("`{own}` takes no words.");
                self.screen.line(Style::Plain, &text)?;
            }
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
        let state = self.state().await?;
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
        let outcome = self.parts.catalog.command(line);
        // the command may have read it again
        self.parts.toolbox.set_catalog(self.parts.catalog.clone());
        match outcome {
            Ok(CommandOutcome::Text(text)) => self.screen.line(Style::Plain, &text)?,
            Ok(CommandOutcome::Activate { .. })
                if self
                    .model
                    .as_ref()
                    .is_some_and(|model| !model.has_documents) =>
            {
                let text =
                    "The agent does not allow documents: its AGENT.md has no `allow_skills: true`.";
                self.screen.line(Style::Plain, text)?;
            }
            Ok(CommandOutcome::Activate { id, body, .. }) if self.model.is_some() => {
                // the line comes first, because it becomes the title
                let text = format!("{line}\n\n<skill name=\"{id}\">\n{body}\n</skill>");
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
