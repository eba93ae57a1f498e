//! The JSON around a tool's schema.

use skill_core::serde_json::{Map, Value, json};
use skill_core::spec::Hint;
use skill_core::{Hints, Tool};

use crate::projection::project;
use crate::{SchemaDialect, ToolNames};

/// How a provider names the parts of a tool. The statics in [`shapes`](crate::shapes) describe the known providers.
///
/// To define your own shape, change a preset in a `static`:
///
/// ```
/// use skill_agent::models::Shape;
///
/// static LOCAL_SHAPE: Shape = Shape::PLAIN.with_schema("arguments").with_parallel_calls(false);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shape {
    /// The value of `type`, or `None` to omit the key.
    pub kind: Option<&'static str>,
    /// The key of the object that contains everything except `type`, or `None` if there is no such object.
    pub wrapper: Option<&'static str>,
    /// The key of the arguments' schema.
    pub schema: &'static str,
    /// Whether to omit the schema of a tool without arguments.
    pub omits_empty: bool,
    /// The value of `strict`, or `None` to omit the key.
    pub strict: Option<bool>,
    /// Whether to add `title`, `outputSchema`, `annotations` and `_meta`, as in MCP.
    pub has_annotations: bool,
    /// The allowed tool names.
    pub tool_names: ToolNames,
    /// The maximum number of tools per request, or `None` if there is no limit.
    pub most_tools: Option<usize>,
    /// Whether a model may call several tools in one completion by default. In strict mode, OpenAI does not guarantee the schema
    /// of parallel calls.
    pub parallel_calls: bool,
}

crate::builders! { Shape:
    with_kind kind: Option<&'static str>;
    with_wrapper wrapper: Option<&'static str>;
    with_schema schema: &'static str;
    with_omits_empty omits_empty: bool;
    with_strict strict: Option<bool>;
    with_annotations has_annotations: bool;
    with_tool_names tool_names: ToolNames;
    with_most_tools most_tools: Option<usize>;
    with_parallel_calls parallel_calls: bool;
}

impl Shape {
    /// A shape with the keys `name`, `description` and `parameters`.
    pub const PLAIN: Self = Self {
        kind: None,
        wrapper: None,
        schema: "parameters",
        omits_empty: false,
        strict: None,
        has_annotations: false,
        tool_names: ToolNames::Any,
        most_tools: None,
        parallel_calls: true,
    };

    /// Returns the tool in the provider's form, with `arguments` as the schema of its arguments in the dialect.
    pub(crate) fn tool(&self, tool: &Tool<'_>, arguments: Value, dialect: &SchemaDialect) -> Value {
        let mut parts = Map::new();
        let mut insert = |key: &str, value: Value| parts.insert(key.to_owned(), value);
        insert("name", tool.name.into());
        if let Some(title) = tool.title.filter(|_| self.has_annotations) {
            insert("title", title.into());
        }
        insert("description", tool.description.into());
        if !(self.omits_empty && is_empty(&arguments)) {
            insert(self.schema, arguments);
        }
        if self.has_annotations {
            if let Some(output) = output_schema(tool, dialect) {
                insert("outputSchema", output);
            }
            insert("annotations", annotations(tool.hints));
            if let Some(meta) = trust(tool.hints) {
                insert("_meta", meta);
            }
        }
        if let Some(strict) = self.strict {
            insert("strict", strict.into());
        }
        self.wrapped(parts)
    }

    fn wrapped(&self, parts: Map<String, Value>) -> Value {
        let mut outer = Map::new();
        if let Some(kind) = self.kind {
            outer.insert("type".to_owned(), kind.into());
        }
        match self.wrapper {
            Some(wrapper) => {
                outer.insert(wrapper.to_owned(), parts.into());
            }
            None => outer.extend(parts),
        }
        outer.into()
    }
}

fn is_empty(schema: &Value) -> bool {
    let properties = schema.get("properties").and_then(Value::as_object);
    properties.is_none_or(Map::is_empty)
}

/// Returns the output's schema if the dialect can express it.
fn output_schema(tool: &Tool<'_>, dialect: &SchemaDialect) -> Option<Value> {
    project(tool.output_schema()?, dialect).ok()
}

/// Returns all four hints, because MCP assumes `destructiveHint` and `openWorldHint` to be true when they are absent.
fn annotations(hints: Hints) -> Value {
    json!({
        "readOnlyHint": hints.read_only,
        "destructiveHint": hints.destructive,
        "idempotentHint": hints.idempotent,
        "openWorldHint": hints.has(Hint::OpenWorld),
    })
}

/// Returns the labels from MCP's draft extension for the tool's outputs. An absent label makes no claim.
fn trust(hints: Hints) -> Option<Value> {
    let mut labels = Map::new();
    if hints.reads_sensitive {
        labels.insert("sensitive".to_owned(), true.into());
    }
    if hints.reads_untrusted {
        labels.insert("untrusted".to_owned(), true.into());
    }
    (!labels.is_empty()).then(|| json!({ "io.modelcontextprotocol/trust-annotations": labels }))
}
