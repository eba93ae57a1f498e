//! Entries of a stored state that the schema knows under a different name.

use crate::stored::StoredValue;
use serde_json::Value;
use skill_agent_schema::{SchemaNode, Step, is_secret, join};
use std::borrow::Cow;

/// The names in a serde error about a field.
#[derive(Clone, Copy, Debug, Default)]
pub struct NamedField<'a> {
    /// The missing field.
    pub missing: Option<&'a str>,
    /// The unknown field.
    pub unknown: Option<&'a str>,
}

/// Returns the paths of the entries unknown to the schema, in the first object that lacks a field of the schema. Secrets are left
/// out.
pub(crate) fn unknown_entries(
    value: &Value,
    schema: &Value,
    named: NamedField<'_>,
    secrets: &[&str],
) -> Vec<Vec<StoredValue>> {
    let search = Search { named, secrets };
    let node = SchemaNode::root(schema);
    let found = search.find(value, node, "", &mut Vec::new());
    found.unwrap_or_default()
}

struct Search<'a> {
    named: NamedField<'a>,
    secrets: &'a [&'a str],
}

impl Search<'_> {
    fn find(
        &self,
        value: &Value,
        node: SchemaNode<'_>,
        at: &str,
        steps: &mut Vec<StoredValue>,
    ) -> Option<Vec<Vec<StoredValue>>> {
        match value {
            Value::Object(entries) => {
                let fields = node.fields();
                let lacks = |field: &&str| !entries.contains_key(*field);
                let lacks_one = match &self.named.missing {
                    Some(missing) => fields.contains(missing) && lacks(missing),
                    None => fields.iter().any(lacks),
                };
                let is_unknown = |key: &&String| {
                    !fields.contains(&key.as_str())
                        && self.named.unknown.is_none_or(|unknown| unknown == *key)
                        && !is_secret(&join(at, key), self.secrets)
                };
                let unknown = entries.keys().filter(|_| lacks_one).filter(is_unknown);
                let key = |key: &String| StoredValue::Text(key.clone());
                let unknown: Vec<_> = unknown
                    .map(|name| [&**steps, &[key(name)]].concat())
                    .collect();
                if !unknown.is_empty() {
                    return Some(unknown);
                }
                entries.iter().find_map(|(name, part)| {
                    let node = node.child(&Step::Key(Cow::Owned(name.clone())))?;
                    let at = join(at, name);
                    if is_secret(&at, self.secrets) {
                        return None;
                    }
                    steps.push(key(name));
                    let found = self.find(part, node, &at, steps);
                    steps.pop();
                    found
                })
            }
            Value::Array(items) => items.iter().enumerate().find_map(|(index, item)| {
                let node = node.child(&Step::Index(index))?;
                steps.push(StoredValue::Integer(index as i128));
                // List items share the list's path.
                let found = self.find(item, node, at, steps);
                steps.pop();
                found
            }),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn paths(value: &Value, named: NamedField<'_>, secrets: &[&str]) -> Vec<String> {
        let line = json!({
            "properties": { "article": { "type": "string" }, "pieces": { "type": "integer" } },
        });
        let schema = json!({
            "properties": {
                "lines": { "items": { "anyOf": [{ "type": "null" }, { "$ref": "#/$defs/line" }] } },
                "names": { "additionalProperties": { "$ref": "#/$defs/line" } },
            },
            "$defs": { "line": line },
        });
        let found = unknown_entries(value, &schema, named, secrets);
        let text = |steps: Vec<StoredValue>| {
            let steps: Vec<_> = steps.iter().map(ToString::to_string).collect();
            steps.join(".")
        };
        found.into_iter().map(text).collect()
    }

    #[test]
    fn unknown_entries_are_found_beside_a_missing_field() {
        let named = |missing| NamedField {
            missing: Some(missing),
            unknown: None,
        };
        let line = json!({ "sku": "a", "pieces": 1 });
        let whole = json!({ "article": "a", "note": "b", "pieces": 1 });
        let state = json!({ "lines": [null, whole, line], "names": { "x": line } });
        assert_eq!(paths(&state, named("article"), &[]), ["lines.2.sku"]);
        assert_eq!(paths(&state, named("pieces"), &[]), [""; 0]);
        assert_eq!(paths(&state, named("article"), &["lines"]), ["names.x.sku"]);
        assert_eq!(
            paths(&state, named("article"), &["lines", "names.x"]),
            [""; 0]
        );
        let unknown = NamedField {
            missing: None,
            unknown: Some("sku"),
        };
        let state = json!({ "names": { "x": line, "y": whole } });
        assert_eq!(paths(&state, unknown, &[]), ["names.x.sku"]);
    }
}
