//! Reads the parts of an action's schema that are needed to parse words into arguments.

use crate::escape;
use serde_json::Value;
use skill_agent_schema::SchemaNode;
use std::collections::BTreeSet;
use std::fmt;

/// The maximum number of schemas to visit for the types of one property, because references may be cyclic.
const MAX_STEPS: usize = 256;

/// The maximum length of a usage line, in characters.
const MAX_USAGE_LENGTH: usize = 1_024;

/// A JSON type, as in the keyword `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum JsonType {
    Text,
    Integer,
    Number,
    Boolean,
    Array,
    Object,
    Null,
}

impl JsonType {
    fn parse(name: &str) -> Option<Self> {
        Some(match name {
            "string" => Self::Text,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "boolean" => Self::Boolean,
            "array" => Self::Array,
            "object" => Self::Object,
            "null" => Self::Null,
            _ => return None,
        })
    }

    fn of(value: &Value) -> Self {
        match value {
            Value::Null => Self::Null,
            Value::Bool(_) => Self::Boolean,
            Value::Number(number) if number.is_f64() => Self::Number,
            Value::Number(_) => Self::Integer,
            Value::String(_) => Self::Text,
            Value::Array(_) => Self::Array,
            Value::Object(_) => Self::Object,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Text => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Array => "array",
            Self::Object => "object",
            Self::Null => "null",
        }
    }
}

/// The allowed types of a value. An empty set allows every type.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct JsonTypes(BTreeSet<JsonType>);

impl JsonTypes {
    pub(crate) fn has(&self, kind: JsonType) -> bool {
        self.0.contains(&kind)
    }

    /// Returns whether a number or a boolean is allowed.
    pub(crate) fn has_scalar(&self) -> bool {
        [JsonType::Integer, JsonType::Number, JsonType::Boolean]
            .iter()
            .any(|ty| self.has(*ty))
    }

    /// Returns whether the types allow a value, counting every integer as a number.
    pub(crate) fn take(&self, value: &Value) -> bool {
        let kind = JsonType::of(value);
        let widened = kind == JsonType::Integer && self.has(JsonType::Number);
        self.0.is_empty() || self.has(kind) || widened
    }
}

impl fmt::Display for JsonTypes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = self.0.iter().filter(|ty| **ty != JsonType::Null);
        f.write_str(names.next().map_or("json", |ty| ty.name()))?;
        names.try_for_each(|ty| write!(f, "|{}", ty.name()))
    }
}

/// The schema of an action's arguments. It describes an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArgumentSchema<'a>(pub(crate) &'a Value);

impl<'a> ArgumentSchema<'a> {
    fn root(self) -> SchemaNode<'a> {
        SchemaNode::root(self.0)
    }

    pub(crate) fn names(self) -> impl Iterator<Item = &'a str> {
        self.root().properties().map(|(name, _)| name)
    }

    /// Returns a property's types, or `None` if there is no such property.
    pub(crate) fn types(self, property: &str) -> Option<JsonTypes> {
        let schema = self.root().property(property)?;
        let mut types = JsonTypes::default();
        if allows_any(schema, &mut types, &mut { MAX_STEPS }) {
            types.0.clear();
        }
        Some(types)
    }

    /// Returns the only required property that may be a string, or `None` if there is not exactly one.
    pub(crate) fn only_string(self) -> Option<&'a str> {
        let mut texts = self.names().filter(|name| {
            self.requires(name)
                && self
                    .types(name)
                    .is_some_and(|types| types.has(JsonType::Text))
        });
        texts.next().filter(|_| texts.next().is_none())
    }

    /// Returns the required properties.
    pub(crate) fn required(self) -> impl Iterator<Item = &'a str> {
        let required = self.root().keyword("required").and_then(Value::as_array);
        required.into_iter().flatten().filter_map(Value::as_str)
    }

    fn requires(self, property: &str) -> bool {
        self.required().any(|name| name == property)
    }

    /// Describes the arguments in one line, such as `text=<string> [limit=<integer>]`.
    pub(crate) fn usage(self) -> String {
        let shown = |name: &str| {
            let types = self.types(name).unwrap_or_default();
            let choices = self.choices(name).unwrap_or_else(|| types.to_string());
            let usage = format!("{name}=<{choices}>");
            if self.requires(name) {
                usage
            } else {
                format!("[{usage}]")
            }
        };
        let usage: Vec<String> = self.names().take(64).map(shown).collect();
        match &usage[..] {
            [] => "no arguments".to_owned(),
            usage => escape::line(&usage.join(" "), MAX_USAGE_LENGTH),
        }
    }

    /// Returns a property's allowed values if it is an enumeration of at most 8 strings.
    fn choices(self, property: &str) -> Option<String> {
        let values = self
            .root()
            .property(property)?
            .keyword("enum")?
            .as_array()?;
        let texts: Option<Vec<&str>> = values.iter().map(Value::as_str).collect();
        texts
            .filter(|texts| texts.len() <= 8)
            .map(|texts| texts.join("|"))
    }
}

/// Adds a schema's types to `types`. Returns `true` if the schema allows values of every type, or if the search takes too many
/// steps.
fn allows_any(schema: SchemaNode<'_>, types: &mut JsonTypes, steps: &mut usize) -> bool {
    let Some(left) = steps.checked_sub(1) else {
        return true;
    };
    *steps = left;
    let schema = schema.resolved();
    if let Some(value) = schema.keyword("const") {
        types.0.insert(JsonType::of(value));
        return false;
    }
    if let Some(values) = schema.keyword("enum").and_then(Value::as_array) {
        types.0.extend(values.iter().map(JsonType::of));
        return false;
    }
    match schema.keyword("type") {
        Some(Value::String(name)) => {
            types.0.extend(JsonType::parse(name));
            return false;
        }
        Some(Value::Array(names)) => {
            let names = names.iter().filter_map(Value::as_str);
            types.0.extend(names.filter_map(JsonType::parse));
            return false;
        }
        _ => {}
    }
    let choices = ["anyOf", "oneOf"].into_iter();
    let mut choices = choices.filter(|keyword| schema.keyword(keyword).is_some());
    match choices.next() {
        Some(keyword) if schema.keyword(keyword).is_some_and(Value::is_array) => schema
            .listed(keyword)
            .any(|choice| allows_any(choice, types, steps)),
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_types_of_a_property_are_found_behind_references_and_choices() {
        let schema = json!({
            "$defs": { "Mode": { "enum": ["fast", "slow"] }, "Loop": { "$ref": "#/$defs/Loop" } },
            "properties": {
                "text": { "type": "string" },
                "count": { "type": ["integer", "null"] },
                "mode": { "$ref": "#/$defs/Mode" },
                "either": { "anyOf": [{ "type": "number" }, { "oneOf": [{ "const": true }] }] },
                "any": true,
                "loop": { "$ref": "#/$defs/Loop" },
                "lost": { "$ref": "#/$defs/None" },
                "choice": { "enum": ["a", "b"] },
            },
            "required": ["text", "count"],
        });
        let schema = ArgumentSchema(&schema);
        let shown = |name| schema.types(name).unwrap().to_string();
        assert_eq!(shown("text"), "string");
        assert_eq!(shown("count"), "integer");
        assert_eq!(shown("mode"), "string");
        assert_eq!(shown("either"), "number|boolean");
        for any in ["any", "loop", "lost"] {
            assert_eq!(shown(any), "json");
        }
        assert_eq!(schema.types("other"), None);
        assert_eq!(schema.only_string(), Some("text"));
        let expected = if skill_core::process::ORDERED_JSON {
            "text=<string> count=<integer> [mode=<string>] [either=<number|boolean>] [any=<json>] [loop=<json>] [lost=<json>] \
             [choice=<a|b>]"
        } else {
            "[any=<json>] [choice=<a|b>] count=<integer> [either=<number|boolean>] [loop=<json>] [lost=<json>] [mode=<string>] \
             text=<string>"
        };
        assert_eq!(schema.usage(), expected);
    }

    #[test]
    fn a_schema_of_nothing_takes_no_arguments() {
        for schema in [
            json!({}),
            json!(true),
            json!(null),
            json!({ "properties": [] }),
        ] {
            let schema = ArgumentSchema(&schema);
            assert_eq!(
                (schema.usage().as_str(), schema.only_string()),
                ("no arguments", None)
            );
        }
    }
}
