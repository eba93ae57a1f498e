//! Errors of commands.

use super::arguments::ArgumentError;
use crate::DocumentReadError;
use crate::escape::{as_typed, error, name};

/// Why a line is not a command, or the command cannot be executed. The message is for the person who typed the line.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The line does not begin with `/`.
    #[error("Error: a command begins with '/'.")]
    NoCommand,
    /// The line is longer than the limit.
    #[error("Error: the line has {bytes} bytes; at most {max} are read.")]
    #[non_exhaustive]
    TooLong {
        /// Its length.
        bytes: usize,
        /// The most that is read.
        max: usize,
    },
    /// A control character other than blanks, which could move the cursor or end the text.
    #[error(
        "Error: the control character {character:?} at character {position} is not allowed in a command."
    )]
    #[non_exhaustive]
    ControlCharacter {
        /// The character.
        character: char,
        /// Its position in the line, in characters, from 1.
        position: usize,
    },
    /// A quote that is not closed, or a `\` at the end.
    #[error("Error: {}; to write it as it is, put '\\' before it.", open(*quote, *position))]
    #[non_exhaustive]
    Unclosed {
        /// `'`, `"` or `\`.
        quote: char,
        /// Its position in the line, in characters, from 1.
        position: usize,
    },
    /// No built-in command and no document has the name.
    #[error("Error: unknown command '/{}'{}", as_typed(command), did_you_mean(nearest.as_deref(), "/", ""))]
    #[non_exhaustive]
    Unknown {
        /// The command without the slash.
        command: String,
        /// A command that is similar, without the slash.
        nearest: Option<String>,
    },
    /// No built-in command and no document has the name as a command, and a document that a person may invoke has it as its id.
    #[error(
        "Error: unknown command '/{0}'; to use the skill '{0}', type '/skill {0}'.",
        name(skill)
    )]
    #[non_exhaustive]
    NoCommandOf {
        /// The id of the document.
        skill: String,
    },
    /// Several documents have the command.
    #[error("Error: command alias '/{}' is ambiguous in snapshot.", name(command))]
    #[non_exhaustive]
    Ambiguous {
        /// The command without the slash.
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
    /// A built-in command that takes no arguments was given some.
    #[error("Error: /{command} does not accept arguments.")]
    #[non_exhaustive]
    NoArguments {
        /// The command without the slash.
        command: &'static str,
    },
    /// No document has the id.
    #[error("Error: skill '{}' not found{}", as_typed(skill), did_you_mean(nearest.as_deref(), "", " in snapshot"))]
    #[non_exhaustive]
    NotFound {
        /// The requested id.
        skill: String,
        /// An id that is similar.
        nearest: Option<String>,
    },
    /// The document was discovered, and is not trusted yet.
    #[error("Error: skill '{}' is not trusted.", name(skill))]
    #[non_exhaustive]
    NotTrusted {
        /// The id of the document.
        skill: String,
    },
    /// The document is disabled.
    #[error(
        "Error: skill '{}' is disabled; enable it in the settings of this program.",
        name(skill)
    )]
    #[non_exhaustive]
    Disabled {
        /// The id of the document, for [`Catalog::enable`](crate::Catalog::enable).
        skill: String,
    },
    /// The document has `user-invocable: false`.
    #[error("Error: skill '{}' can be loaded only by the model.", name(skill))]
    #[non_exhaustive]
    NotUserInvocable {
        /// The id of the document.
        skill: String,
    },
    /// The body of a document could not be read.
    #[error("Error: skill '{}' could not be read: {}.", name(skill), error(source))]
    #[non_exhaustive]
    Unreadable {
        /// The id of the document.
        skill: String,
        /// Why.
        r#source: DocumentReadError, // printed, so not chained
    },
    /// The tool of a document of mode `tool_dispatch` is unknown to the catalog: it was built without `.agent::<A>()`, or the
    /// agent has no such action.
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
    /// The words after a command of mode `tool_dispatch` are not valid arguments of its tool.
    #[error("Error: {source}; '{}' takes: {usage}.", name(tool))]
    #[non_exhaustive]
    Arguments {
        /// The `command_tool`.
        tool: String,
        /// The problem with the arguments.
        r#source: ArgumentError, // printed, so not chained
        /// The expected arguments, as `text=<string> [limit=<integer>]`.
        usage: String,
    },
}

/// The end of a message about a name that is unknown. `rest` ends it without a proposal, in the words of the first implementation.
fn did_you_mean(nearest: Option<&str>, before: &str, rest: &str) -> String {
    match nearest {
        Some(nearest) => format!("; did you mean '{before}{}'?", name(nearest)),
        None => format!("{rest}."),
    }
}

fn open(quote: char, position: usize) -> String {
    match quote {
        '\'' => format!("the quote \"'\" at character {position} is not closed"),
        '"' => format!("the quote '\"' at character {position} is not closed"),
        _ => format!("nothing follows the '\\' at character {position}"),
    }
}
