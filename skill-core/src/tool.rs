//! Tools: a model's view of actions.

use crate::{ActionSpec, Hints, SchemaFn};
use serde::Deserialize;
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

/// A tool: a name, a description, hints and the schema of its arguments. [`ToolBuf`] is the owned form.
///
/// A tool serializes with the keys `name`, `title`, `description`, `hints`, `input_schema` and `output_schema`; a [`ToolBuf`] can
/// be read from that form. `skill_agent::models` writes the JSON that model providers and MCP expect.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Tool<'a> {
    /// The name for the model.
    pub name: &'a str,
    /// The name for people.
    pub title: Option<&'a str>,
    /// Tells a model when to choose the tool.
    pub description: &'a str,
    /// Hints for callers about the action's behavior.
    pub hints: Hints,
    input: SchemaRef<'a>,
    output: Option<SchemaRef<'a>>,
}

#[derive(Clone, Copy, Debug)]
enum SchemaRef<'a> {
    Lazy(SchemaFn),
    Ready(&'a Value),
}

impl<'a> SchemaRef<'a> {
    fn get(self) -> &'a Value {
        match self {
            Self::Lazy(get) => get(),
            Self::Ready(value) => value,
        }
    }
}

impl<'a> Tool<'a> {
    /// Returns the schema of the arguments, which describes an object (JSON Schema, draft 2020-12).
    pub fn input_schema(&self) -> &'a Value {
        self.input.get()
    }

    /// Returns the schema of the answer, if it is known.
    pub fn output_schema(&self) -> Option<&'a Value> {
        self.output.map(SchemaRef::get)
    }

    /// Copies the tool into an owned one.
    pub fn to_buf(&self) -> ToolBuf {
        ToolBuf {
            name: self.name.to_owned(),
            title: self.title.map(str::to_owned),
            description: self.description.to_owned(),
            hints: self.hints,
            input_schema: self.input_schema().clone(),
            output_schema: self.output_schema().cloned(),
        }
    }
}

impl Tool<'static> {
    /// Creates an action's tool.
    pub const fn of(spec: &ActionSpec) -> Self {
        Self {
            name: spec.name,
            title: spec.title,
            description: spec.description,
            hints: spec.hints,
            input: SchemaRef::Lazy(spec.input),
            output: Some(SchemaRef::Lazy(spec.output)),
        }
    }
}

/// A tool with owned strings, for example one created at run time.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct ToolBuf {
    /// The name for the model.
    pub name: String,
    /// The name for people.
    #[serde(default)]
    pub title: Option<String>,
    /// Tells a model when to choose the tool.
    pub description: String,
    /// Hints for callers about the action's behavior.
    #[serde(default)]
    pub hints: Hints,
    /// The JSON schema of the arguments.
    pub input_schema: Value,
    /// The JSON schema of the answer, if it is known.
    #[serde(default)]
    pub output_schema: Option<Value>,
}

impl ToolBuf {
    /// Creates a tool with a name, a description and a schema of its arguments.
    pub fn new(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: Value,
    ) -> Self {
        Self {
            name: name.into(),
            title: None,
            description: description.into(),
            hints: Hints::NONE,
            input_schema,
            output_schema: None,
        }
    }

    /// Borrows the tool.
    pub fn as_tool(&self) -> Tool<'_> {
        Tool {
            name: &self.name,
            title: self.title.as_deref(),
            description: &self.description,
            hints: self.hints,
            input: SchemaRef::Ready(&self.input_schema),
            output: self.output_schema.as_ref().map(SchemaRef::Ready),
        }
    }
}

impl From<&ActionSpec> for ToolBuf {
    fn from(spec: &ActionSpec) -> Self {
        Tool::of(spec).to_buf()
    }
}

impl From<Tool<'_>> for ToolBuf {
    fn from(tool: Tool<'_>) -> Self {
        tool.to_buf()
    }
}

impl Serialize for Tool<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.name)?;
        if let Some(title) = self.title {
            map.serialize_entry("title", title)?;
        }
        map.serialize_entry("description", self.description)?;
        map.serialize_entry("hints", &self.hints)?;
        map.serialize_entry("input_schema", self.input_schema())?;
        if let Some(schema) = self.output_schema() {
            map.serialize_entry("output_schema", schema)?;
        }
        map.end()
    }
}

impl Serialize for ToolBuf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_tool().serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_tool_is_read_back_from_its_serialized_form() {
        let mut tool = ToolBuf::new("search", "Search the web.", json!({ "type": "object" }));
        tool.title = Some("Search".to_owned());
        tool.hints = Hints::NONE.read_only().open_world();
        tool.output_schema = Some(json!({ "type": "string" }));
        let value = serde_json::to_value(&tool).unwrap();
        assert_eq!(
            value,
            json!({
                "name": "search",
                "title": "Search",
                "description": "Search the web.",
                "hints": { "read_only": true, "destructive": false, "idempotent": false, "open_world": true },
                "input_schema": { "type": "object" },
                "output_schema": { "type": "string" },
            })
        );
        assert_eq!(serde_json::from_value::<ToolBuf>(value).unwrap(), tool);
    }

    #[test]
    fn unknown_keys_are_ignored_and_missing_ones_have_defaults() {
        let value = json!({
            "name": "search",
            "description": "",
            "input_schema": true,
            "icon": "lens",
            "hints": { "idempotent": true, "cheap": true },
        });
        let mut expected = ToolBuf::new("search", "", json!(true));
        expected.hints = Hints::NONE.idempotent();
        assert_eq!(serde_json::from_value::<ToolBuf>(value).unwrap(), expected);
    }
}
