//! The words that a person types after the name of a tool.

use super::CommandError;
use super::arguments::arguments;
use super::line::CommandLine;
use super::schema::ArgumentSchema;
use super::shell_words::Word;
use skill_core::ToolBuf;

/// Parses the words that a person types after the name of a tool into the tool's arguments, as JSON text.
///
/// The words have the form of a [command](crate::Catalog::command) for a tool: `key=value` sets a property, and words without
/// `=` set the only required string property. The tool checks the ranges of the values when it is called.
///
/// ```
/// use serde_json::json;
/// use skill_agent::ToolBuf;
/// use skill_agent::manifest::tool_arguments;
///
/// let number = json!({ "type": "number" });
/// let schema = json!({ "type": "object", "properties": { "a": number, "b": number }, "required": ["a", "b"] });
/// let add = ToolBuf::new("add", "Add two numbers.", schema);
/// assert_eq!(tool_arguments(&add, "a=1 b=2")?, r#"{"a":1,"b":2}"#);
///
/// let error = tool_arguments(&add, "a=one").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "Error: 'one' for 'a' is not a valid number; 'add' takes: a=<number> b=<number>.",
/// );
/// # Ok::<(), skill_agent::manifest::CommandError>(())
/// ```
///
/// # Errors
/// Returns [`CommandError::Arguments`] if the words are not arguments of the tool, and the same errors as [`Catalog::command`](crate::Catalog::command) if
/// they cannot be split.
pub fn tool_arguments(tool: &ToolBuf, words: &str) -> Result<String, CommandError> {
    let words = CommandLine::of_words(words)?.words()?;
    typed_arguments(&tool.name, &words, ArgumentSchema(&tool.input_schema))
}

/// Parses split words.
pub(super) fn typed_arguments(
    tool: &str,
    words: &[Word],
    schema: ArgumentSchema<'_>,
) -> Result<String, CommandError> {
    arguments(words, schema).map_err(|source| CommandError::Arguments {
        tool: tool.to_owned(),
        source,
        usage: schema.usage(),
    })
}
