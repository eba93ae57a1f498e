//! Finds the schemas of an object's keys by the patterns they match.

use crate::schema::node::SchemaNode;
use regex_lite::Regex;
use serde_json::Value;
use std::collections::HashMap;

/// The compiled patterns. A pattern that the regex engine does not support is `None`.
#[derive(Debug, Default)]
pub struct Patterns(HashMap<String, Option<Regex>>);

impl Patterns {
    /// Returns all schemas that apply to the value of `key`: the property's schema and the schema of each matching pattern. If
    /// none matches, the schema for all other keys applies, unless the regex engine does not support a pattern.
    pub fn schemas_of<'s>(&mut self, key: &str, node: SchemaNode<'s>) -> Vec<SchemaNode<'s>> {
        let patterns = node.keyword("patternProperties").and_then(Value::as_object);
        let Some(patterns) = patterns else {
            return node.entry(key).into_iter().collect();
        };
        let mut schemas: Vec<SchemaNode<'s>> = node.property(key).into_iter().collect();
        let mut has_none = schemas.is_empty();
        for (pattern, schema) in patterns {
            let is_match = self.is_match(pattern, key);
            has_none &= is_match == Some(false);
            schemas.extend((is_match == Some(true)).then(|| node.to(schema)));
        }
        let others = node.keyword("additionalProperties");
        schemas.extend(others.filter(|_| has_none).map(|others| node.to(others)));
        schemas.retain(|schema| schema.value().is_object());
        schemas
    }

    /// Returns whether `text` matches a pattern, or `None` if the regex engine does not support the pattern.
    pub fn is_match(&mut self, pattern: &str, text: &str) -> Option<bool> {
        if !self.0.contains_key(pattern) {
            let regex = Regex::new(pattern).ok();
            self.0.insert(pattern.to_owned(), regex);
        }
        let regex = self.0.get(pattern)?.as_ref()?;
        Some(regex.is_match(text))
    }
}
