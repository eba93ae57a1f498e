//! [`Tool`]: the description of an action for a model.

use crate::{ActionSpec, Hints, SchemaFn};
use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;

/// A tool: a name, a description and the schema of its arguments. It borrows them; [`ToolBuf`] owns them.
///
/// It serializes in MCP's form (`name`, `title`, `description`, `inputSchema`, `outputSchema`, `annotations`).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Tool<'a> {
    /// The name by which a model calls it.
    pub name: &'a str,
    /// A name for people.
    pub title: Option<&'a str>,
    /// What it does, for the model that chooses a tool.
    pub description: &'a str,
    /// What a caller may assume about it.
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
    /// The schema of the arguments: JSON Schema, draft 2020-12, an object.
    pub fn input_schema(&self) -> &'a Value {
        self.input.get()
    }

    /// The schema of the output, if it is known.
    pub fn output_schema(&self) -> Option<&'a Value> {
        self.output.map(SchemaRef::get)
    }

    /// The tool as an owned [`ToolBuf`].
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
    /// The tool of an action.
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

/// A tool that owns its texts, for tools that are made at run time.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ToolBuf {
    /// The name by which a model calls it.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it does.
    pub description: String,
    /// What a caller may assume about it.
    pub hints: Hints,
    /// The schema of the arguments.
    pub input_schema: Value,
    /// The schema of the output, if it is known.
    pub output_schema: Option<Value>,
}

impl ToolBuf {
    /// A tool with a name, a description and a schema of its arguments.
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

    /// The tool as a borrowed [`Tool`].
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

impl Serialize for Tool<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.name)?;
        if let Some(title) = self.title {
            map.serialize_entry("title", title)?;
        }
        map.serialize_entry("description", self.description)?;
        map.serialize_entry("inputSchema", self.input_schema())?;
        // MCP allows only schemas of objects
        if let Some(schema) = self.output_schema()
            && schema["type"] == "object"
        {
            map.serialize_entry("outputSchema", schema)?;
        }
        map.serialize_entry("annotations", &Annotations(self.hints))?;
        map.end()
    }
}

impl Serialize for ToolBuf {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_tool().serialize(serializer)
    }
}

/// Hints under the names of MCP.
struct Annotations(Hints);

impl Serialize for Annotations {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let Hints {
            read_only,
            destructive,
            idempotent,
            open_world,
        } = self.0;
        // a hint that is left out has the default of MCP
        for (name, hint) in [
            ("readOnlyHint", read_only),
            ("destructiveHint", destructive),
            ("idempotentHint", idempotent),
            ("openWorldHint", open_world),
        ] {
            if hint {
                map.serialize_entry(name, &true)?;
            }
        }
        map.end()
    }
}
