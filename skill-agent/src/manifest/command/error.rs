//! Why a command was not done, in the words of the first program of seed 004.

use super::arguments::ArgumentError;
use crate::manifest::ReadError;
use crate::manifest::escape::{as_typed, error, name};

/// Why a line is no command, or one that cannot be done. The text is for the person who wrote the line.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The line does not begin with `/`.
    #[error("Error: a command begins with '/'.")]
    NoCommand,
    /// The line is longer than is read at all.
    #[error("Error: the line has {bytes} bytes; at most {max} are read.")]
    #[non_exhaustive]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The most that is read.
        max: usize,
    },
    /// A character that moves a cursor or ends a text, and has no place in a command.
    #[error(
        "Error: the control character {character:?} at character {position} has no place in a command."
    )]
    #[non_exhaustive]
    ControlCharacter {
        /// Which.
        character: char,
        /// Its place in the line in characters, from 1.
        position: usize,
    },
    /// A quote that is not closed, or a `\` at the end.
    #[error("Error: {}; to write it as it is, put '\\' before it.", open(*quote, *position))]
    #[non_exhaustive]
    Unclosed {
        /// `'`, `"` or `\`.
        quote: char,
        /// Its place in the line in characters, from 1.
        position: usize,
    },
    /// Neither a built-in nor a document has the command.
    #[error("Error: unknown command '/{}'.", as_typed(command))]
    #[non_exhaustive]
    Unknown {
        /// Without the slash.
        command: String,
    },
    /// Several documents have the command.
    #[error("Error: command alias '/{}' is ambiguous in snapshot.", name(command))]
    #[non_exhaustive]
    Ambiguous {
        /// Without the slash.
        command: String,
        /// The ids of the documents.
        skills: Vec<String>,
    },
    /// `/skill` without a name.
    #[error("Error: /skill requires a skill name.")]
    NoSkillName,
    /// `/help` without a name, or with several.
    #[error("Error: /help requires exactly one skill name.")]
    OneSkillName,
    /// A built-in that takes no arguments was given some.
    #[error("Error: /{command} does not accept arguments.")]
    #[non_exhaustive]
    NoArguments {
        /// Without the slash.
        command: &'static str,
    },
    /// No document has the id.
    #[error("Error: skill '{}' not found in snapshot.", as_typed(skill))]
    #[non_exhaustive]
    NotFound {
        /// The id that was asked for.
        skill: String,
    },
    /// The document was found and not named by the program, so a person has to trust it first.
    #[error("Error: skill '{}' is not trusted.", name(skill))]
    #[non_exhaustive]
    NotTrusted {
        /// Its id.
        skill: String,
    },
    /// The body of a document could not be read.
    #[error("Error: skill '{}' could not be read: {}.", name(skill), error(source))]
    #[non_exhaustive]
    Unreadable {
        /// Its id.
        skill: String,
        /// Why.
        source: ReadError,
    },
    /// The tool of a document of mode `tool_dispatch` is not among those the catalog knows with their schemas: it was made
    /// without `.agent::<A>()`, or the agent has no such action.
    #[error(
        "Error: skill '{}' calls the tool '{}', which this agent does not have.",
        name(skill),
        name(tool)
    )]
    #[non_exhaustive]
    NoTool {
        /// The id of the document.
        skill: String,
        /// Its `command_tool`.
        tool: String,
    },
    /// The words after a command of mode `tool_dispatch` are not the arguments of its tool.
    #[error("Error: {source}; '{}' takes: {usage}.", name(tool))]
    #[non_exhaustive]
    Arguments {
        /// The `command_tool`.
        tool: String,
        /// What is wrong.
        source: ArgumentError,
        /// What it takes, as `text=<string> [limit=<integer>]`.
        usage: String,
    },
}

fn open(quote: char, position: usize) -> String {
    match quote {
        '\'' => format!("the quote \"'\" at character {position} is not closed"),
        '"' => format!("the quote '\"' at character {position} is not closed"),
        _ => format!("nothing follows the '\\' at character {position}"),
    }
}
