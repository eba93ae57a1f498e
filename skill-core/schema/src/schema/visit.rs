//! Visits the subschemas of a schema with their paths.
//!
//! The recursive transforms in [`schemars::transform`] are enough for a change that is the same everywhere. But they do not
//! report a subschema's keyword, and they always need a mutable schema.

use std::fmt;

use schemars::Schema;
use serde_json::Value;

use crate::schema::node::SchemaNode;

/// The position of a subschema in its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Branch<'a> {
    /// The value of a keyword, as in `items`.
    Only(&'a str),
    /// An element of a keyword's list, as in `anyOf`.
    Index(&'a str, usize),
    /// A named member of a keyword's object, as in `properties`.
    Name(&'a str, &'a str),
}

impl<'a> Branch<'a> {
    /// Returns the keyword.
    #[must_use]
    pub fn keyword(self) -> &'a str {
        match self {
            Self::Only(keyword) | Self::Index(keyword, _) | Self::Name(keyword, _) => keyword,
        }
    }
}

/// The branches from a schema's root to a subschema. Displays as a JSON pointer.
#[derive(Clone, Copy, Debug)]
pub struct SchemaPath<'a> {
    last: Option<(&'a SchemaPath<'a>, Branch<'a>)>,
}

impl<'a> SchemaPath<'a> {
    /// The path of the whole schema.
    pub const ROOT: Self = Self { last: None };

    /// Returns the branch from the parent, or `None` at the root.
    #[must_use]
    pub fn branch(&self) -> Option<Branch<'a>> {
        self.last.map(|(_, branch)| branch)
    }

    fn to(&'a self, branch: Branch<'a>) -> Self {
        Self {
            last: Some((self, branch)),
        }
    }
}

impl fmt::Display for SchemaPath<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((parent, branch)) = self.last else {
            return Ok(());
        };
        parent.fmt(f)?;
        write!(f, "/{}", branch.keyword())?;
        match branch {
            Branch::Only(_) => Ok(()),
            Branch::Index(_, index) => write!(f, "/{index}"),
            Branch::Name(_, name) => {
                write!(f, "/{}", name.replace('~', "~0").replace('/', "~1"))
            }
        }
    }
}

/// Whether a visitor descends into a schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descend {
    /// Visit the subschemas.
    Into,
    /// Skip the subschemas.
    Past,
}

/// The form in which a keyword contains subschemas.
enum Contents {
    One,
    List,
    ByName,
}

/// Returns how a keyword of draft 2020-12 contains schemas, or `None` if it contains none.
fn contents(keyword: &str) -> Option<Contents> {
    Some(match keyword {
        "additionalProperties"
        | "contains"
        | "contentSchema"
        | "else"
        | "if"
        | "items"
        | "not"
        | "propertyNames"
        | "then"
        | "unevaluatedItems"
        | "unevaluatedProperties" => Contents::One,
        "allOf" | "anyOf" | "oneOf" | "prefixItems" => Contents::List,
        "$defs" | "dependentSchemas" | "patternProperties" | "properties" => Contents::ByName,
        _ => return None,
    })
}

/// Calls `visitor` with every direct subschema of `node`. Does not follow references.
pub fn subschemas<'a>(node: SchemaNode<'a>, visitor: &mut dyn FnMut(Branch<'a>, SchemaNode<'a>)) {
    for (keyword, value) in node.value().as_object().into_iter().flatten() {
        match (contents(keyword), value) {
            (Some(Contents::One), value) => visitor(Branch::Only(keyword), node.to(value)),
            (Some(Contents::List), Value::Array(list)) => {
                for (index, value) in list.iter().enumerate() {
                    visitor(Branch::Index(keyword, index), node.to(value));
                }
            }
            (Some(Contents::ByName), Value::Object(named)) => {
                for (name, value) in named {
                    visitor(Branch::Name(keyword, name), node.to(value));
                }
            }
            _ => {}
        }
    }
}

/// Calls `visitor` with every direct subschema of `schema`, mutably.
pub fn subschemas_mut(schema: &mut Value, visitor: &mut dyn FnMut(Branch<'_>, &mut Value)) {
    for (keyword, value) in schema.as_object_mut().into_iter().flatten() {
        match (contents(keyword), value) {
            (Some(Contents::One), value) => visitor(Branch::Only(keyword), value),
            (Some(Contents::List), Value::Array(list)) => {
                for (index, value) in list.iter_mut().enumerate() {
                    visitor(Branch::Index(keyword, index), value);
                }
            }
            (Some(Contents::ByName), Value::Object(named)) => {
                for (name, value) in named {
                    visitor(Branch::Name(keyword, name), value);
                }
            }
            _ => {}
        }
    }
}

/// Changes a schema as JSON. The result must be an object or a boolean.
pub(crate) fn change(schema: &mut Schema, change: impl FnOnce(&mut Value)) {
    let mut value = std::mem::take(schema).to_value();
    change(&mut value);
    *schema = Schema::try_from(value).unwrap_or_default();
}

/// Calls `visitor` with `schema` and all its subschemas, parents first. References are not followed, which guarantees
/// termination. A visitor can follow a reference with [`SchemaNode::resolved`].
pub fn visit<'a>(
    schema: &'a Value,
    visitor: &mut dyn FnMut(&SchemaPath<'_>, SchemaNode<'a>) -> Descend,
) {
    visit_node(&SchemaPath::ROOT, SchemaNode::root(schema), visitor);
}

fn visit_node<'a>(
    path: &SchemaPath<'_>,
    node: SchemaNode<'a>,
    visitor: &mut dyn FnMut(&SchemaPath<'_>, SchemaNode<'a>) -> Descend,
) {
    if visitor(path, node) == Descend::Into {
        subschemas(node, &mut |branch, node| {
            visit_node(&path.to(branch), node, visitor);
        });
    }
}

/// Returns whether a part of the schema has its own `$id`. Inside that part, references refer to the part and not to the whole
/// document.
pub fn has_inner_id(schema: &Value) -> bool {
    let mut found = false;
    visit(schema, &mut |path, node| {
        let id = node.keyword("$id").and_then(Value::as_str);
        let id = id.filter(|id| !id.starts_with('#'));
        found |= path.branch().is_some() && id.is_some();
        if found { Descend::Past } else { Descend::Into }
    });
    found
}

/// Like [`visit`], but the visitor can change the schemas. If the visitor descends into a schema, the subschemas that it has
/// added are visited too.
pub fn visit_mut(
    schema: &mut Value,
    visitor: &mut dyn FnMut(&SchemaPath<'_>, &mut Value) -> Descend,
) {
    visit_node_mut(&SchemaPath::ROOT, schema, visitor);
}

fn visit_node_mut(
    path: &SchemaPath<'_>,
    schema: &mut Value,
    visitor: &mut dyn FnMut(&SchemaPath<'_>, &mut Value) -> Descend,
) {
    if visitor(path, schema) == Descend::Into {
        subschemas_mut(schema, &mut |branch, schema| {
            visit_node_mut(&path.to(branch), schema, visitor);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::in_key_order;
    use serde_json::json;

    fn every_keyword() -> Value {
        json!({
            "type": "object",
            "properties": {
                "a/b": { "anyOf": [{ "type": "null" }, { "$ref": "#/$defs/c" }] },
                // A property can have the name of a keyword.
                "items": { "prefixItems": [{}, true], "items": false },
            },
            "additionalProperties": { "not": { "const": { "items": {} } } },
            "examples": [{ "properties": { "x": {} } }],
            "$defs": { "c": { "type": "string" } },
        })
    }

    const PATHS: [&str; 11] = [
        "",
        "/properties/a~1b",
        "/properties/a~1b/anyOf/0",
        "/properties/a~1b/anyOf/1",
        "/properties/items",
        "/properties/items/prefixItems/0",
        "/properties/items/prefixItems/1",
        "/properties/items/items",
        "/additionalProperties",
        "/additionalProperties/not",
        "/$defs/c",
    ];

    #[test]
    fn every_subschema_is_visited_once_with_its_json_pointer() {
        let schema = every_keyword();
        let mut paths = Vec::new();
        visit(&schema, &mut |path, node| {
            let path = path.to_string();
            assert_eq!(schema.pointer(&path), Some(node.value()), "{path}");
            paths.push(path);
            Descend::Into
        });
        assert_eq!(in_key_order(paths), in_key_order(PATHS.to_vec()));
    }

    #[test]
    fn visit_mut_can_change_every_subschema() {
        let mut schema = every_keyword();
        let mut paths = Vec::new();
        visit_mut(&mut schema, &mut |path, schema| {
            paths.push(path.to_string());
            if schema.is_boolean() {
                *schema = json!({});
            }
            Descend::Into
        });
        assert_eq!(in_key_order(paths), in_key_order(PATHS.to_vec()));
        let items = &schema["properties"]["items"];
        assert_eq!(*items, json!({ "prefixItems": [{}, {}], "items": {} }));
    }

    #[test]
    fn a_schema_is_skipped_if_the_visitor_does_not_descend_into_it() {
        let schema = every_keyword();
        let mut paths = Vec::new();
        visit(&schema, &mut |path, _| {
            paths.push(path.to_string());
            match path.branch() {
                Some(Branch::Name("properties", _)) => Descend::Past,
                _ => Descend::Into,
            }
        });
        let within =
            |path: &&&str| path.matches('/').count() < 3 || !path.starts_with("/properties/");
        let expected: Vec<&str> = PATHS.iter().filter(within).copied().collect();
        assert_eq!(in_key_order(paths), in_key_order(expected));
    }

    #[test]
    fn a_visitor_can_follow_references() {
        let schema = every_keyword();
        let mut types = Vec::new();
        visit(&schema, &mut |_, node| {
            types.extend(node.resolved().keyword("type").and_then(Value::as_str));
            Descend::Into
        });
        let expected = vec!["object", "null", "string", "string"];
        assert_eq!(in_key_order(types), in_key_order(expected));
    }
}
