//! The schema of the arguments of an action, as far as command lines need it.

use crate::manifest::escape;
use serde_json::Value;
use skill_core::__private::SchemaNode;
use std::collections::BTreeSet;
use std::fmt;

/// The most schemas that are visited for the types of one property, since they may refer to each other in cycles.
const MOST_STEPS: usize = 256;

/// The most characters of a usage line.
const LONGEST_USAGE: usize = 1_024;

/// A type of JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Text,
    Integer,
    Number,
    Boolean,
    Array,
    Object,
    Null,
}

impl Kind {
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

/// The types that a value may have; empty for all types.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Kinds(BTreeSet<Kind>);

impl Kinds {
    pub(crate) fn has(&self, kind: Kind) -> bool {
        self.0.contains(&kind)
    }

    /// Whether a number or a boolean is among them.
    pub(crate) fn has_scalar(&self) -> bool {
        [Kind::Integer, Kind::Number, Kind::Boolean]
            .iter()
            .any(|kind| self.has(*kind))
    }

    /// Whether a value has one of these types. Every integer is a number.
    pub(crate) fn take(&self, value: &Value) -> bool {
        let kind = Kind::of(value);
        let widened = kind == Kind::Integer && self.has(Kind::Number);
        self.0.is_empty() || self.has(kind) || widened
    }
}

impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names = self.0.iter().filter(|kind| **kind != Kind::Null);
        f.write_str(names.next().map_or("json", |kind| kind.name()))?;
        names.try_for_each(|kind| write!(f, "|{}", kind.name()))
    }
}

/// The schema of the arguments of an action: that of an object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArgumentSchema<'a>(pub(crate) &'a Value);

impl<'a> ArgumentSchema<'a> {
    fn root(self) -> SchemaNode<'a> {
        SchemaNode::root(self.0)
    }

    pub(crate) fn names(self) -> impl Iterator<Item = &'a str> {
        self.root().properties().map(|(name, _)| name)
    }

    /// The types of a property; `None` if there is no property with that name.
    pub(crate) fn kinds(self, property: &str) -> Option<Kinds> {
        let schema = self.root().property(property)?;
        let mut kinds = Kinds::default();
        if takes_all(schema, &mut kinds, &mut { MOST_STEPS }) {
            kinds.0.clear();
        }
        Some(kinds)
    }

    /// The required property that is a text, if there is exactly one.
    pub(crate) fn only_text(self) -> Option<&'a str> {
        let mut texts = self.names().filter(|name| {
            self.requires(name) && self.kinds(name).is_some_and(|kinds| kinds.has(Kind::Text))
        });
        texts.next().filter(|_| texts.next().is_none())
    }

    /// The required properties.
    pub(crate) fn required(self) -> impl Iterator<Item = &'a str> {
        let required = self.root().keyword("required").and_then(Value::as_array);
        required.into_iter().flatten().filter_map(Value::as_str)
    }

    fn requires(self, property: &str) -> bool {
        self.required().any(|required| required == property)
    }

    /// The usage line: `text=<string> [limit=<integer>]`.
    pub(crate) fn usage(self) -> String {
        let shown = |name: &str| {
            let kinds = self.kinds(name).unwrap_or_default();
            let choices = self.choices(name).unwrap_or_else(|| kinds.to_string());
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
            usage => escape::line(&usage.join(" "), LONGEST_USAGE),
        }
    }

    /// The texts that a property may be, if they are few.
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

/// Adds the types of a schema to `kinds`; true when it takes values of all types.
fn takes_all(schema: SchemaNode<'_>, kinds: &mut Kinds, steps: &mut usize) -> bool {
    let Some(left) = steps.checked_sub(1) else {
        return true;
    };
    *steps = left;
    let schema = schema.resolved();
    if let Some(value) = schema.keyword("const") {
        kinds.0.insert(Kind::of(value));
        return false;
    }
    if let Some(values) = schema.keyword("enum").and_then(Value::as_array) {
        kinds.0.extend(values.iter().map(Kind::of));
        return false;
    }
    match schema.keyword("type") {
        Some(Value::String(name)) => {
            kinds.0.extend(Kind::parse(name));
            return false;
        }
        Some(Value::Array(names)) => {
            let names = names.iter().filter_map(Value::as_str);
            kinds.0.extend(names.filter_map(Kind::parse));
            return false;
        }
        _ => {}
    }
    let choices = ["anyOf", "oneOf"].into_iter();
    let mut choices = choices.filter(|keyword| schema.keyword(keyword).is_some());
    match choices.next() {
        Some(keyword) if schema.keyword(keyword).is_some_and(Value::is_array) => schema
            .listed(keyword)
            .any(|choice| takes_all(choice, kinds, steps)),
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
        let shown = |name| schema.kinds(name).unwrap().to_string();
        assert_eq!(shown("text"), "string");
        assert_eq!(shown("count"), "integer");
        assert_eq!(shown("mode"), "string");
        assert_eq!(shown("either"), "number|boolean");
        for any in ["any", "loop", "lost"] {
            assert_eq!(shown(any), "json");
        }
        assert_eq!(schema.kinds("other"), None);
        assert_eq!(schema.only_text(), Some("text"));
        assert_eq!(
            schema.usage(),
            "text=<string> count=<integer> [mode=<string>] [either=<number|boolean>] [any=<json>] [loop=<json>] [lost=<json>] \
             [choice=<a|b>]"
        );
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
                (schema.usage().as_str(), schema.only_text()),
                ("no arguments", None)
            );
        }
    }
}
