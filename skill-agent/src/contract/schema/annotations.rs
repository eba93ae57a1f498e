//! Texts and defaults, which no value violates.

use super::difference::shown;
use super::{Role, SchemaChange};
use crate::contract::change::ChangeClass;
use serde_json::Value;
use skill_core::__private::{Branch, SchemaNode, subschemas};

/// The keywords that are text for a model or a reader.
pub(super) const TEXTS: [&str; 4] = ["title", "description", "examples", "$comment"];

/// Adds the changes of the texts and defaults of the parts that both schemas have.
pub(super) fn compare(role: Role, old: &Value, new: &Value, changes: &mut Vec<SchemaChange>) {
    let mut annotations = Annotations { role, changes };
    annotations.compare("", SchemaNode::root(old), SchemaNode::root(new), true);
}

struct Annotations<'c> {
    role: Role,
    changes: &'c mut Vec<SchemaChange>,
}

impl Annotations<'_> {
    /// Compares two schemas at a path, and their parts. A default counts if the old value might be left out.
    fn compare(&mut self, path: &str, old: SchemaNode<'_>, new: SchemaNode<'_>, has_default: bool) {
        for keyword in TEXTS {
            if old.keyword(keyword) != new.keyword(keyword) {
                self.push(ChangeClass::Text, path, format!("another `{keyword}`"));
            }
        }
        let [old_default, new_default] = [old, new].map(|node| node.keyword("default"));
        if has_default && old_default != new_default {
            let class = match self.role {
                // a call that leaves it out means something else now
                Role::Arguments | Role::Configuration => ChangeClass::Breaking,
                Role::State => ChangeClass::Additive,
                Role::Answer => ChangeClass::Text,
            };
            let text = |default: Option<&Value>| {
                default.map_or("none".to_owned(), |value| format!("`{}`", shown(value)))
            };
            let message = format!(
                "`default` was {}, is {}",
                text(old_default),
                text(new_default)
            );
            self.push(class, path, message);
        }
        let mut parts = Vec::new();
        subschemas(new, &mut |branch, node| parts.push((branch, node)));
        subschemas(old, &mut |branch, node| {
            let is_same = |(other, part): &&(Branch<'_>, SchemaNode<'_>)| {
                is_counterpart(branch, node, *other, *part)
            };
            if let Some((_, part)) = parts.iter().find(is_same) {
                let has_default = match branch {
                    Branch::Name("properties", name) => {
                        !requires(old, name) && !requires(new, name)
                    }
                    _ => true,
                };
                self.compare(&below(path, branch), node, *part, has_default);
            }
        });
    }

    fn push(&mut self, class: ChangeClass, path: &str, message: String) {
        self.changes.push(SchemaChange {
            class,
            path: path.to_owned(),
            message,
        });
    }
}

fn requires(node: SchemaNode<'_>, name: &str) -> bool {
    let required = node.keyword("required").and_then(Value::as_array);
    required.is_some_and(|names| names.iter().any(|required| required == name))
}

/// Whether two subschemas are the same part of two schemas. The branches of a choice may be in another order.
fn is_counterpart(
    branch: Branch<'_>,
    node: SchemaNode<'_>,
    other: Branch<'_>,
    part: SchemaNode<'_>,
) -> bool {
    match (branch, other) {
        (Branch::Index(keyword @ ("oneOf" | "anyOf"), _), Branch::Index(other, _)) => {
            keyword == other && identity(node) == identity(part)
        }
        _ => branch == other,
    }
}

/// The constants that distinguish a branch of a choice from the others.
fn identity(node: SchemaNode<'_>) -> Vec<&Value> {
    let keywords = ["$ref", "type", "const", "enum", "required"].into_iter();
    let own = keywords.filter_map(|keyword| node.keyword(keyword));
    let tags = node
        .properties()
        .filter_map(|(_, property)| property.keyword("const"));
    own.chain(tags).collect()
}

/// The path of a subschema in the values.
fn below(path: &str, branch: Branch<'_>) -> String {
    let step = match branch {
        Branch::Name("properties", name) => name,
        Branch::Only("additionalProperties") | Branch::Name("patternProperties", _) => "*",
        Branch::Only("items") => return format!("{path}[]"),
        Branch::Index("prefixItems", index) => return format!("{path}[{index}]"),
        Branch::Index("oneOf" | "anyOf" | "allOf", _) => return path.to_owned(),
        Branch::Name("$defs", name) => return format!("$defs.{name}"),
        branch => branch.keyword(),
    };
    if path.is_empty() {
        step.to_owned()
    } else {
        format!("{path}.{step}")
    }
}
