//! A model provider, described by two tables.

pub(crate) mod dialect;
pub(crate) mod limits;
pub(crate) mod shape;
pub(crate) mod tools_json;

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ptr;

use skill_core::Tool;
use skill_core::serde_json::Value;

use super::error::{SchemaError, ToolsError, ToolsProblem};
use super::lenient::without_nulls;
use super::{Limit, Measure, SchemaDialect, Shape, dialects, projection, shapes};

/// The form in which a model provider or protocol expects tools: a dialect of JSON Schema, and the JSON around it.
///
/// Two providers are equal if they use the same statics. See [`SchemaDialect`] for an example of a custom provider.
///
/// ```
/// use skill_agent::models::Provider;
/// use skill_agent::ToolBuf;
/// use serde_json::json;
///
/// let tool = ToolBuf::new("search", "Search the web.", json!({
///     "type": "object",
///     "properties": { "text": { "type": "string", "minLength": 1 } },
///     "required": ["text"],
/// }));
/// assert_eq!(
///     Provider::ANTHROPIC_STRICT.tool(&tool.as_tool())?,
///     json!({
///         "name": "search",
///         "description": "Search the web.",
///         "input_schema": {
///             "type": "object",
///             "properties": { "text": { "type": "string", "description": "{minLength: 1}" } },
///             "required": ["text"],
///             "additionalProperties": false,
///         },
///         "strict": true,
///     })
/// );
/// # Ok::<(), skill_agent::models::SchemaError>(())
/// ```
#[derive(Clone, Copy)]
pub struct Provider {
    /// The supported part of JSON Schema.
    pub dialect: &'static SchemaDialect,
    /// The JSON around a schema.
    pub shape: &'static Shape,
}

macro_rules! providers {
    ($($(#[$doc:meta])* $name:ident = $dialect:ident, $shape:ident;)*) => {
        impl Provider {
            $(
                $(#[$doc])*
                pub const $name: Self = Self {
                    dialect: &dialects::$dialect,
                    shape: &shapes::$shape,
                };
            )*

            /// All known providers.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            fn name(self) -> Option<&'static str> {
                $(if self == Self::$name {
                    return Some(stringify!($name));
                })*
                None
            }
        }
    };
}

providers! {
    /// OpenAI's Chat Completions API.
    OPENAI_CHAT = OPENAI, OPENAI_CHAT;
    /// The Chat Completions API of other servers, such as llama.cpp, vLLM and Ollama.
    OPENAI_COMPATIBLE = OPENAI_COMPATIBLE, OPENAI_COMPATIBLE;
    /// OpenAI's Chat Completions API in strict mode.
    OPENAI_STRICT = OPENAI_STRICT, OPENAI_CHAT_STRICT;
    /// OpenAI's Responses API.
    OPENAI_RESPONSES = OPENAI, OPENAI_RESPONSES;
    /// OpenAI's Responses API in strict mode.
    OPENAI_RESPONSES_STRICT = OPENAI_STRICT, OPENAI_RESPONSES_STRICT;
    /// Anthropic's Messages API.
    ANTHROPIC = ANTHROPIC, ANTHROPIC;
    /// Anthropic's Messages API in strict mode.
    ANTHROPIC_STRICT = ANTHROPIC_STRICT, ANTHROPIC_STRICT;
    /// Gemini with `parametersJsonSchema`.
    GEMINI = GEMINI, GEMINI;
    /// Gemini with `parameters`.
    GEMINI_LEGACY = GEMINI_LEGACY, GEMINI_LEGACY;
    /// The Model Context Protocol.
    MCP = MCP, MCP;
}

impl Provider {
    /// Returns a tool in this provider's form.
    ///
    /// # Errors
    ///
    /// Returns an error if the provider cannot express the schema of the tool's arguments.
    pub fn tool(self, tool: &Tool<'_>) -> Result<Value, SchemaError> {
        let arguments = projection::arguments(tool, self.dialect)?;
        Ok(self.shape.tool(tool, arguments, self.dialect))
    }

    /// Returns tools in this provider's form, for use in `json!`, whereas [`tools_json`](Self::tools_json) returns them as text.
    ///
    /// # Errors
    ///
    /// Returns an error with all schemas that the provider cannot express, all names that it does not accept, and all limits that
    /// are exceeded.
    pub fn tools<'a>(
        self,
        tools: impl IntoIterator<Item = &'a Tool<'a>>,
    ) -> Result<Value, ToolsError> {
        let (mut list, mut problems) = (Vec::new(), Vec::new());
        let mut count = limits::Count::default();
        let mut names = HashSet::new();
        for tool in tools {
            let name = || tool.name.to_owned();
            if !self.shape.tool_names.allow(tool.name) {
                let names = self.shape.tool_names;
                problems.push(ToolsProblem::Name {
                    tool: name(),
                    names,
                });
            }
            if !names.insert(tool.name) {
                problems.push(ToolsProblem::SameName { tool: name() });
            }
            match projection::arguments(tool, self.dialect) {
                Ok(schema) => {
                    problems.extend(count.add(tool.name, &schema, self.dialect));
                    list.push(self.shape.tool(tool, schema, self.dialect));
                }
                Err(error) => problems.push(ToolsProblem::Schema {
                    tool: name(),
                    error,
                }),
            }
        }
        let most_tools = self.shape.most_tools;
        let most_tools = most_tools.map(|most| Limit::new(Measure::Tools, most));
        problems.extend(count.problems(self.dialect.limits.iter().copied().chain(most_tools)));
        if problems.is_empty() {
            return Ok(Value::from(list));
        }
        Err(ToolsError::new(self.dialect.name, problems))
    }

    /// Like [`tools`](Self::tools), but returns JSON text. [`ToolsJson`](super::ToolsJson) caches the text for an agent.
    ///
    /// # Errors
    ///
    /// Returns the same errors as [`tools`](Self::tools).
    pub fn tools_json<'a>(
        self,
        tools: impl IntoIterator<Item = &'a Tool<'a>>,
    ) -> Result<String, ToolsError> {
        Ok(self.tools(tools)?.to_string())
    }

    /// Returns a schema in this provider's dialect, for example for a typed answer.
    ///
    /// # Errors
    ///
    /// Returns an error with all parts that are not schemas and all parts that the provider cannot express.
    pub fn schema(self, schema: &Value) -> Result<Value, SchemaError> {
        projection::project(schema, self.dialect)
    }

    /// Removes the `null`s that stand for omitted arguments.
    ///
    /// In strict mode, OpenAI requires a value for every property, so the projection allows `null` for each optional property. If
    /// the tool's own schema does not allow `null` there, the model sent it for an omitted value: it is removed, and the property
    /// gets its default. If the tool's schema allows `null`, it is a value and stays, even for an `Option` with a default. All
    /// other text is unchanged, even malformed text, and for other providers, the entire text is.
    ///
    /// ```
    /// use skill_agent::models::Provider;
    /// use skill_agent::ToolBuf;
    /// use serde_json::json;
    ///
    /// let tool = ToolBuf::new("list", "List files.", json!({
    ///     "type": "object",
    ///     "properties": { "most": { "type": "integer", "default": 10 }, "in": { "type": ["string", "null"] } },
    /// }));
    /// let sent = r#"{"most": null, "in": null}"#;
    /// assert_eq!(Provider::OPENAI_STRICT.restore_omitted(&tool.as_tool(), sent), r#"{"in": null}"#);
    /// assert_eq!(Provider::OPENAI_CHAT.restore_omitted(&tool.as_tool(), sent), sent);
    /// ```
    #[must_use]
    pub fn restore_omitted<'a>(self, tool: &Tool<'_>, arguments: &'a str) -> Cow<'a, str> {
        if self.dialect.all_required {
            without_nulls(tool.input_schema(), arguments)
        } else {
            Cow::Borrowed(arguments)
        }
    }

    /// Returns whether a model may call several tools in one completion by default.
    #[must_use]
    pub fn parallel_calls(self) -> bool {
        self.shape.parallel_calls
    }
}

impl PartialEq for Provider {
    fn eq(&self, other: &Self) -> bool {
        ptr::eq(self.dialect, other.dialect) && ptr::eq(self.shape, other.shape)
    }
}

impl Eq for Provider {}

impl Hash for Provider {
    fn hash<H: Hasher>(&self, state: &mut H) {
        ptr::hash(self.dialect, state);
        ptr::hash(self.shape, state);
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "Provider::{name}"),
            None => write!(f, "Provider({})", self.dialect.name),
        }
    }
}
