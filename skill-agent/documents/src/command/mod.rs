//! Slash commands for people: `/skills`, `/skill`, `/help`, `/reload_skills`, and the `command` of each document.
//!
//! A command never guesses. Names are compared exactly, no other document replaces a missing one, and the types of the words come
//! from the tool's schema.

mod arguments;
mod error;
mod line;
mod output;
mod placeholders;
mod schema;
mod shell_words;
mod tool_arguments;

pub use arguments::ArgumentError;
pub use error::CommandError;
pub(crate) use placeholders::body_without_arguments;
pub use tool_arguments::tool_arguments;

use super::audience::is_for_people;
use super::composition::BUILT_IN;
use super::{Catalog, CatalogEntry, DocumentReadError, InvocationMode};
use line::CommandLine;
use schema::ArgumentSchema;
use serde_json::Value;
use shell_words::Word;
use skill_core::__private::nearest;
use tool_arguments::typed_arguments;

/// The result of a command. Depending on the variant, your program displays the text, prompts the model or calls the action.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CommandOutcome {
    /// Lines to show to the person.
    Text(String),
    /// A document's instructions for the model's next turn.
    #[non_exhaustive]
    Activate {
        /// The document's id.
        id: String,
        /// The instructions as written in the file. If the document's dialect has the key `argument-hint`, `$ARGUMENTS` is
        /// replaced with the typed words, and `$ARGUMENTS[N]` and `$N` with the word at index `N`, counted from 0.
        body: String,
        /// The words after the command, each as a separate string.
        args: Vec<String>,
    },
    /// A call to an action. No model is involved. Run it with `agent.call_json(&action, &arguments)` or `server.call_json(…)`.
    #[non_exhaustive]
    Dispatch {
        /// The action's name.
        action: String,
        /// The arguments as a JSON object. Each value has a type that the action's schema allows.
        arguments: String,
    },
}

impl Catalog {
    /// Parses and runs a typed line, and returns the next step for your program.
    ///
    /// | line | result |
    /// | --- | --- |
    /// | `/skills` | the documents that a person may invoke, one per line: the id and the summary |
    /// | `/help ID` | a description of a document |
    /// | `/reload_skills` | [`reload`](Self::reload), and a summary of the changes |
    /// | `/skill ID words…` | the document with that id |
    /// | `/COMMAND words…` | the document with that `command` |
    ///
    /// Spaces, tabs and line breaks separate words, as in a POSIX shell. Other blanks, such as a no-break space, are part of a
    /// word. Quotes and backslashes are the only special characters.
    ///
    /// A document in `prompt_rewrite` mode is [activated](CommandOutcome::Activate) with the words.
    ///
    /// A document in `tool_dispatch` mode [calls](CommandOutcome::Dispatch) its tool. Words of the form `key=value` set
    /// properties, with the type that the schema requires. Arrays and objects are written as JSON. Words without `=` form the
    /// value of the only required string property. If the schema allows strings as well as other types, an unquoted number,
    /// `true` or `false` keeps its own type where the schema allows it; everything else is a string. For a property that may be
    /// an integer or a string, `to=5` is the integer and `to='5'` the string. The schemas come from
    /// [`CatalogBuilder::agent`](super::CatalogBuilder::agent).
    ///
    /// ```
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// use serde_json::{Value, json};
    /// use skill_agent::manifest::{Catalog, CommandOutcome, Dialect, Source};
    /// use skill_agent::prelude::*;
    ///
    /// /// Keeps notes.
    /// #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
    /// #[serde(default)]
    /// #[skill(name = "notes", actions(TakeNote))]
    /// pub struct Notes {
    ///     notes: Vec<String>,
    /// }
    ///
    /// /// Write something down.
    /// #[action]
    /// pub fn take_note(notes: &mut Notes, text: String, times: Option<u32>) -> usize {
    ///     let times = times.unwrap_or(1) as usize;
    ///     notes.notes.extend(std::iter::repeat_n(text, times));
    ///     notes.notes.len()
    /// }
    ///
    /// agent! {
    ///     pub struct Clerk {
    ///         name: "clerk",
    ///         skills: [Notes],
    ///     }
    /// }
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path();
    /// # std::fs::create_dir_all(path.join("note"))?;
    /// # std::fs::write(
    /// #     path.join("note/SKILL.md"),
    /// #     "---\ninvocation_mode: tool_dispatch\ncommand: note\ncommand_tool: take_note\n---\n",
    /// # )?;
    /// // note/SKILL.md: `invocation_mode: tool_dispatch`, `command: note`, `command_tool: take_note`
    /// let mut catalog = Catalog::builder(Dialect::LILY)
    ///     .source(Source::project(path))
    ///     .agent::<Clerk>()
    ///     .load();
    /// let mut clerk = Clerk::new();
    /// match catalog.command("/note buy milk times=2")? {
    ///     CommandOutcome::Text(text) => println!("{text}"),
    ///     CommandOutcome::Activate { body, .. } => println!("for the model: {body}"),
    ///     CommandOutcome::Dispatch { action, arguments, .. } => {
    ///         let json: Value = serde_json::from_str(&arguments)?;
    ///         assert_eq!(json, json!({ "text": "buy milk", "times": 2 }));
    ///         assert_eq!(clerk.call_json(&action, &arguments)?.output, "2");
    ///     }
    ///     _ => {}
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if the line is not a command, or if the command or document does not exist or is ambiguous, disabled,
    /// untrusted or only for models. Also returns an error if the document's body cannot be read, or if the words are not valid
    /// arguments of its tool. The message addresses the person.
    pub fn command(&mut self, line: &str) -> Result<CommandOutcome, CommandError> {
        let line = CommandLine::read(line)?;
        match line.name {
            "skills" => {
                no_words("skills", &line)?;
                Ok(CommandOutcome::Text(output::list(self.for_people())))
            }
            "help" => match &line.words()?[..] {
                [id] => {
                    let entry = self.offered(&id.text)?;
                    Ok(CommandOutcome::Text(self.help(entry)))
                }
                _ => Err(CommandError::OneSkillName),
            },
            "reload_skills" => {
                no_words("reload_skills", &line)?;
                let changes = self.reload();
                Ok(CommandOutcome::Text(output::reloaded(self, &changes)))
            }
            "skill" => match &line.words()?[..] {
                [] => Err(CommandError::NoSkillName),
                [id, words @ ..] => self.invoke(self.offered(&id.text)?, words, line.typed(words)),
            },
            alias => {
                let entry = self.aliased(alias)?;
                let words = line.words()?;
                self.invoke(entry, &words, line.typed(&words))
            }
        }
    }

    /// Invokes a document for the model with a text that is no command line: words are split by blanks, and quotes are plain
    /// characters.
    #[doc(hidden)]
    pub fn activate_with(&self, id: &str, text: &str) -> Result<CommandOutcome, CommandError> {
        let words: Vec<Word> = text.split_whitespace().map(Word::plain).collect();
        self.activation(self.offered(id)?, &words, text.trim())
    }

    /// Invokes a document in `tool_dispatch` mode. `properties` are the names and values of the tool's properties, as text.
    #[doc(hidden)]
    pub fn dispatch_with<'t>(
        &self,
        id: &str,
        properties: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<CommandOutcome, CommandError> {
        let properties = properties.into_iter();
        let words: Vec<Word> = properties
            .map(|(name, text)| Word::property(name, text))
            .collect();
        self.dispatch(self.offered(id)?, &words)
    }

    /// Returns the schema of the tool that a document calls.
    #[doc(hidden)]
    pub fn schema_of_command(&self, entry: &CatalogEntry) -> Option<&'static Value> {
        let ArgumentSchema(schema) = self.argument_schema(entry.doc().command_tool.as_deref()?)?;
        Some(schema)
    }

    /// Returns the documents that a person may invoke, sorted by id.
    #[doc(hidden)]
    pub fn for_people(&self) -> impl Iterator<Item = &CatalogEntry> {
        self.skills().filter(|entry| is_for_people(entry.doc()))
    }

    fn offered(&self, id: &str) -> Result<&CatalogEntry, CommandError> {
        let skill = || id.to_owned();
        match self.get(id) {
            Some(entry) if is_for_people(entry.doc()) => Ok(entry),
            Some(_) => Err(CommandError::NotUserInvocable { skill: skill() }),
            None if self.listed().any(|entry| entry.id == id) => {
                Err(CommandError::NotTrusted { skill: skill() })
            }
            None if self.snapshot.disabled.contains_key(id) => {
                Err(CommandError::Disabled { skill: skill() })
            }
            None => Err(CommandError::NotFound {
                skill: skill(),
                nearest: self.nearest_offered(id, |entry| is_for_people(entry.doc())),
            }),
        }
    }

    fn aliased(&self, command: &str) -> Result<&CatalogEntry, CommandError> {
        let has = |entry: &&CatalogEntry| entry.doc().command.as_deref() == Some(command);
        let found: Vec<&CatalogEntry> = self.for_people().filter(has).collect();
        let command = command.to_owned();
        match found[..] {
            [entry] => Ok(entry),
            [] => Err(self.no_command(command, has)),
            _ => Err(CommandError::Ambiguous {
                command,
                skills: found.iter().map(|entry| entry.id.to_string()).collect(),
            }),
        }
    }

    /// Explains why the command does not belong to a document that a person may invoke.
    fn no_command(&self, command: String, has: impl Fn(&&CatalogEntry) -> bool) -> CommandError {
        if let Some(entry) = self.skills().find(has) {
            let skill = entry.id.to_string();
            return CommandError::NotUserInvocable { skill };
        }
        let mut disabled = self.snapshot.disabled.iter();
        match disabled.find(|(_, theirs)| theirs.as_deref() == Some(&*command)) {
            Some((id, _)) => CommandError::Disabled {
                skill: id.to_string(),
            },
            None if self.for_people().any(|entry| entry.id == *command) => {
                CommandError::NoCommandOf { skill: command }
            }
            None => {
                let theirs = self
                    .for_people()
                    .filter_map(|entry| entry.doc().command.as_deref());
                let known = BUILT_IN.iter().copied().chain(theirs);
                let nearest = nearest(&command, known).map(str::to_owned);
                CommandError::Unknown { command, nearest }
            }
        }
    }

    fn invoke(
        &self,
        entry: &CatalogEntry,
        words: &[Word],
        typed: &str,
    ) -> Result<CommandOutcome, CommandError> {
        match entry.doc().invocation_mode {
            InvocationMode::ToolDispatch => self.dispatch(entry, words),
            // treat modes added in the future like the default mode, which involves the model
            _ => self.activation(entry, words, typed),
        }
    }

    fn activation(
        &self,
        entry: &CatalogEntry,
        words: &[Word],
        typed: &str,
    ) -> Result<CommandOutcome, CommandError> {
        let id = entry.id.to_string();
        match self.read(&id) {
            Ok(doc) => Ok(CommandOutcome::Activate {
                id,
                body: placeholders::body(doc, typed, words),
                args: words.iter().map(|word| word.text.clone()).collect(),
            }),
            Err(DocumentReadError::Unknown { id, nearest }) => {
                let skill = id;
                Err(CommandError::NotFound { skill, nearest })
            }
            Err(source) => Err(CommandError::Unreadable { skill: id, source }),
        }
    }

    fn dispatch(
        &self,
        entry: &CatalogEntry,
        words: &[Word],
    ) -> Result<CommandOutcome, CommandError> {
        let action = entry
            .doc()
            .command_tool
            .clone()
            .unwrap_or_default()
            .into_owned();
        let Some(schema) = self.argument_schema(&action) else {
            return Err(CommandError::NoTool {
                skill: entry.id.to_string(),
                tool: action,
            });
        };
        let arguments = typed_arguments(&action, words, schema)?;
        Ok(CommandOutcome::Dispatch { action, arguments })
    }

    fn help(&self, entry: &CatalogEntry) -> String {
        let tool = entry.doc().command_tool.as_deref();
        let usage = tool
            .and_then(|tool| self.argument_schema(tool))
            .map(ArgumentSchema::usage);
        output::help(entry, usage)
    }

    /// Returns the schema of one of the agent's tools.
    fn argument_schema(&self, tool: &str) -> Option<ArgumentSchema<'static>> {
        let tools = &self.settings.facts.tools;
        let tool = tools.iter().find(|known| known.name == tool)?;
        Some(ArgumentSchema(tool.input_schema()))
    }
}

fn no_words(command: &'static str, line: &CommandLine<'_>) -> Result<(), CommandError> {
    if line.words()?.is_empty() {
        Ok(())
    } else {
        Err(CommandError::NoArguments { command })
    }
}
