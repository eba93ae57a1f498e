//! The commands of a person (seed 004): `/skills`, `/skill`, `/help`, `/reload_skills`, and the `command` of each document.
//!
//! A command does what it says or nothing: names are compared exactly, a document that is not there is no reason to take another
//! one, and what the words after it mean is said by the schema of the tool, not guessed.

mod arguments;
mod error;
mod line;
mod schema;
mod text;
mod words;

pub use arguments::ArgumentError;
pub use error::CommandError;

use super::{Catalog, Entry, InvocationMode, ReadError};
use arguments::arguments;
use line::Line;
use schema::ArgumentSchema;
use words::Word;

/// What a command comes to. The catalog only says it; showing, prompting and calling are for the program.
#[non_exhaustive]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Lines for the person.
    Text(String),
    /// The instructions of a document are for the next turn of the model.
    #[non_exhaustive]
    Activate {
        /// The id of the document.
        id: String,
        /// Its instructions, as they stand in the file.
        body: String,
        /// The words after the command.
        args: Vec<String>,
    },
    /// An action is to be called without a model: `agent.call(&action, &arguments)`, or `server.call_json(…)`.
    #[non_exhaustive]
    Dispatch {
        /// The action.
        action: String,
        /// Its arguments, a JSON object; each value has the type that the schema of the action says.
        arguments: String,
    },
}

impl Catalog {
    /// Reads a line that a person typed, and says what is to be done.
    ///
    /// | line | comes to |
    /// | --- | --- |
    /// | `/skills` | the offered documents, one line each: the id and the summary |
    /// | `/help ID` | what a document says of itself |
    /// | `/reload_skills` | [`reload`](Self::reload), and what it changed |
    /// | `/skill ID words…` | the document, by its id |
    /// | `/COMMAND words…` | the document that has the `command` |
    ///
    /// Words are parted as a POSIX shell parts them: by spaces, tabs and line ends, with quotes and backslashes and nothing else.
    /// Other blanks, as a no-break space, stay in their word. A document of mode `prompt_rewrite` is
    /// [activated](Command::Activate) with its words. One of mode `tool_dispatch` becomes a
    /// [call](Command::Dispatch) of its tool: `key=value` words are properties of the type that the schema says, arrays and
    /// objects written as JSON, and the words without `=` are the one required text. Where the schema has a text beside other
    /// types, a number, `true` or `false` is one if the schema has that type and no part of it is quoted, and all else is a
    /// text: for an integer or a string, `to=5` is the integer and `to='5'` the text. The schemas are those of
    /// [`CatalogBuilder::agent`](super::CatalogBuilder::agent).
    ///
    /// ```
    /// # use schemars::JsonSchema;
    /// # use serde::{Deserialize, Serialize};
    /// use skill_agent::manifest::{Catalog, Command, Dialect, Source};
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
    ///     Command::Text(text) => println!("{text}"),
    ///     Command::Activate { body, .. } => println!("for the model: {body}"),
    ///     Command::Dispatch { action, arguments, .. } => {
    ///         assert_eq!(arguments, r#"{"times":2,"text":"buy milk"}"#);
    ///         assert_eq!(clerk.call(&action, &arguments)?.output, "2");
    ///     }
    ///     _ => {}
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The line is no command, the command or document is not there, is ambiguous or not trusted, its body cannot be read, or
    /// the words are not the arguments of its tool. The text of an error is for the person.
    pub fn command(&mut self, line: &str) -> Result<Command, CommandError> {
        let line = Line::read(line)?;
        match line.name {
            "skills" => {
                no_words("skills", &line)?;
                Ok(Command::Text(text::list(self.skills())))
            }
            "help" => match &line.words()?[..] {
                [id] => {
                    let entry = self.offered(&id.text)?;
                    Ok(Command::Text(self.help(entry)))
                }
                _ => Err(CommandError::OneSkillName),
            },
            "reload_skills" => {
                no_words("reload_skills", &line)?;
                let changes = self.reload();
                Ok(Command::Text(text::reloaded(self, &changes)))
            }
            "skill" => match &line.words()?[..] {
                [] => Err(CommandError::NoSkillName),
                [id, words @ ..] => self.invoke(self.offered(&id.text)?, words),
            },
            alias => {
                let entry = self.aliased(alias)?;
                self.invoke(entry, &line.words()?)
            }
        }
    }

    fn offered(&self, id: &str) -> Result<&Entry, CommandError> {
        let skill = || id.to_owned();
        match self.get(id) {
            Some(entry) => Ok(entry),
            None if self.listed().any(|it| it.id == id) => {
                Err(CommandError::NotTrusted { skill: skill() })
            }
            None => Err(CommandError::NotFound { skill: skill() }),
        }
    }

    fn aliased(&self, command: &str) -> Result<&Entry, CommandError> {
        let has = |it: &&Entry| it.doc().command.as_deref() == Some(command);
        let found: Vec<&Entry> = self.skills().filter(has).collect();
        let command = command.to_owned();
        match found[..] {
            [entry] => Ok(entry),
            [] => Err(CommandError::Unknown { command }),
            _ => Err(CommandError::Ambiguous {
                command,
                skills: found.iter().map(|it| it.id.to_string()).collect(),
            }),
        }
    }

    fn invoke(&self, entry: &Entry, words: &[Word]) -> Result<Command, CommandError> {
        match entry.doc().invocation_mode {
            InvocationMode::ToolDispatch => self.dispatch(entry, words),
            // a mode of later is for the model, as the default is
            _ => self.activate(entry, words),
        }
    }

    fn activate(&self, entry: &Entry, words: &[Word]) -> Result<Command, CommandError> {
        let id = entry.id.to_string();
        match self.read(&id) {
            Ok(doc) => Ok(Command::Activate {
                id,
                body: doc.body.into_owned(),
                args: words.iter().map(|it| it.text.clone()).collect(),
            }),
            Err(ReadError::Unknown { id }) => Err(CommandError::NotFound { skill: id }),
            Err(source) => Err(CommandError::Unreadable { skill: id, source }),
        }
    }

    fn dispatch(&self, entry: &Entry, words: &[Word]) -> Result<Command, CommandError> {
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
        match arguments(words, schema) {
            Ok(arguments) => Ok(Command::Dispatch { action, arguments }),
            Err(source) => Err(CommandError::Arguments {
                tool: action,
                source,
                usage: schema.usage(),
            }),
        }
    }

    fn help(&self, entry: &Entry) -> String {
        let tool = entry.doc().command_tool.as_deref();
        let usage = tool
            .and_then(|it| self.argument_schema(it))
            .map(ArgumentSchema::usage);
        text::help(entry, usage)
    }

    /// The schema of a tool of the agent.
    fn argument_schema(&self, tool: &str) -> Option<ArgumentSchema<'static>> {
        let tools = &self.settings.facts.tools;
        let tool = tools.iter().find(|it| it.name == tool)?;
        Some(ArgumentSchema(tool.input_schema()))
    }
}

fn no_words(command: &'static str, line: &Line<'_>) -> Result<(), CommandError> {
    match line.words()?.is_empty() {
        true => Ok(()),
        false => Err(CommandError::NoArguments { command }),
    }
}
