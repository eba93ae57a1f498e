//! Errors from slash commands.

use super::arguments::ArgumentError;
use crate::DocumentReadError;
use crate::escape::{as_typed, error, name};

/// The error for a line that is not a command, or for a command that cannot be run. The message addresses the person who typed
/// the line.
#[non_exhaustive]
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// The line does not begin with `/`.
    #[error("Error: a command begins with '/'.")]
    NoCommand,
    /// The line is too long.
    #[error("Error: the line has {bytes} bytes; at most {max} are read.")]
    #[non_exhaustive]
    TooLong {
        /// The line's length in bytes.
        bytes: usize,
        /// The maximum length in bytes.
        max: usize,
    },
    /// The line contains a control character that is not a blank. Such a character could move the cursor or end the text.
    #[error(
        "Error: the control character {character:?} at character {position} is not allowed in a command."
    )]
    #[non_exhaustive]
    ControlCharacter {
        /// The control character.
        character: char,
        /// The character's position in the line, counted in characters from 1.
        position: usize,
    },
    /// A quote is not closed, or the line ends with `\`.
    #[error("Error: {}; to write it as it is, put '\\' before it.", open(*quote, *position))]
    #[non_exhaustive]
    Unclosed {
        /// The unclosed character: `'`, `"` or `\`.
        quote: char,
        /// The character's position in the line, counted in characters from 1.
        position: usize,
    },
    /// No built-in command and no document has this name.
    #[error("Error: unknown command '/{}'{}", as_typed(command), did_you_mean(nearest.as_deref(), "/", ""))]
    #[non_exhaustive]
    Unknown {
        /// The command without its slash.
        command: String,
        /// The most similar command, without its slash.
        nearest: Option<String>,
    },
    /// The name is not a command, but it is the id of a document that a person may invoke.
    #[error(
        "Error: unknown command '/{0}'; to use the skill '{0}', type '/skill {0}'.",
        name(skill)
    )]
    #[non_exhaustive]
    NoCommandOf {
        /// The document's id.
        skill: String,
    },
    /// Several documents have the same command.
    #[error("Error: command alias '/{}' is ambiguous in snapshot.", name(command))]
    #[non_exhaustive]
    Ambiguous {
        /// The command without its slash.
        command: String,
        /// The documents' ids.
        skills: Vec<String>,
    },
    /// `/skill` is not followed by a name.
    #[error("Error: /skill requires a skill name.")]
    NoSkillName,
    /// `/help` is not followed by exactly one name.
    #[error("Error: /help requires exactly one skill name.")]
    OneSkillName,
    /// The person passed arguments to a built-in command that takes none.
    #[error("Error: /{command} does not accept arguments.")]
    #[non_exhaustive]
    NoArguments {
        /// The command without its slash.
        command: &'static str,
    },
    /// No document has this id.
    #[error("Error: skill '{}' not found{}", as_typed(skill), did_you_mean(nearest.as_deref(), "", " in snapshot"))]
    #[non_exhaustive]
    NotFound {
        /// The requested id.
        skill: String,
        /// The most similar id.
        nearest: Option<String>,
    },
    /// The document was discovered and is not yet trusted.
    #[error("Error: skill '{}' is not trusted.", name(skill))]
    #[non_exhaustive]
    NotTrusted {
        /// The document's id.
        skill: String,
    },
    /// The document is disabled.
    #[error(
        "Error: skill '{}' is disabled; enable it in the settings of this program.",
        name(skill)
    )]
    #[non_exhaustive]
    Disabled {
        /// The document's id, for [`Catalog::enable`](crate::Catalog::enable).
        skill: String,
    },
    /// The document has `user-invocable: false`.
    #[error("Error: skill '{}' can be loaded only by the model.", name(skill))]
    #[non_exhaustive]
    NotUserInvocable {
        /// The document's id.
        skill: String,
    },
    /// The document's body cannot be read.
    #[error("Error: skill '{}' could not be read: {}.", name(skill), error(source))]
    #[non_exhaustive]
    Unreadable {
        /// The document's id.
        skill: String,
        /// Why the body cannot be read.
        r#source: DocumentReadError, // part of the message, so not chained
    },
    /// The catalog does not know the tool of a document in `tool_dispatch` mode. The catalog was built without `.agent::<A>()`,
    /// or the agent has no such action.
    #[error(
        "Error: skill '{}' calls the tool '{}', which this agent does not have.",
        name(skill),
        name(tool)
    )]
    #[non_exhaustive]
    NoTool {
        /// The document's id.
        skill: String,
        /// The document's `command_tool`.
        tool: String,
    },
    /// The words after a command in `tool_dispatch` mode are not valid arguments of its tool.
    #[error("Error: {source}; '{}' takes: {usage}.", name(tool))]
    #[non_exhaustive]
    Arguments {
        /// The document's `command_tool`.
        tool: String,
        /// The problem with the arguments.
        r#source: ArgumentError, // part of the message, so not chained
        /// The expected arguments, such as `text=<string> [limit=<integer>]`.
        usage: String,
    },
}

/// Returns the end of a message about an unknown name. Without a suggestion, the message ends with `rest`, which keeps the
/// wording of the first implementation.
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
