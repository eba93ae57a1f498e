//! Compares texts and defaults, which never make a value invalid.

use super::difference::shown;
use super::{Role, SchemaChange};
use crate::change::ChangeClass;
use serde_json::Value;
use skill_agent_schema::{Branch, SchemaNode, subschemas};
use std::collections::{HashMap, HashSet};

/// The keywords whose text is for a model or a reader.
pub(super) const TEXTS: [&str; 4] = ["title", "description", "examples", "$comment"];

/// The maximum number of references to follow in a row.
const MOST_HOPS: usize = 32;

/// Adds the changes to texts and defaults in those parts that both schemas have.
pub(super) fn compare(role: Role, old: &Value, new: &Value, changes: &mut Vec<SchemaChange>) {
    let mut annotations = Annotations {
        role,
        changes,
        followed: HashSet::new(),
    };
    annotations.compare("", SchemaNode::root(old), SchemaNode::root(new), true);
}

struct Annotations<'c> {
    role: Role,
    changes: &'c mut Vec<SchemaChange>,
    /// The addresses of the pairs whose references have been followed, to end the recursion for recursive types.
    followed: HashSet<[*const Value; 2]>,
}

impl Annotations<'_> {
    /// Compares two schemas at a path, and their parts, where `has_default` says whether the old value may be omitted.
    fn compare(&mut self, path: &str, old: SchemaNode<'_>, new: SchemaNode<'_>, has_default: bool) {
        // definitions with the same name are compared under `$defs` instead
        let follows = old.keyword("$ref") != new.keyword("$ref");
        let address = |node: SchemaNode<'_>| std::ptr::from_ref(node.value());
        if follows && !self.followed.insert([old, new].map(address)) {
            return;
        }
        let [old, new] = [old, new].map(|node| Followed::new(node, follows));
        for keyword in TEXTS {
            if old.keyword(keyword) != new.keyword(keyword) {
                self.push(ChangeClass::Text, path, format!("`{keyword}` changed"));
            }
        }
        let [old_default, new_default] = [&old, &new].map(|node| node.keyword("default"));
        if has_default && old_default != new_default {
            self.push_default(path, old_default, new_default);
        }
        let parts = Parts::of(new.parts());
        for (branch, node) in old.parts() {
            let Some(part) = parts.counterpart(branch, node) else {
                continue;
            };
            let has_default = match branch {
                Branch::Name("properties", name) => !old.requires(name) && !new.requires(name),
                _ => true,
            };
            self.compare(&below(path, branch), node, part, has_default);
        }
    }

    fn push_default(&mut self, path: &str, old: Option<&Value>, new: Option<&Value>) {
        let class = match self.role {
            // calls that omit the value now have a different meaning
            Role::Arguments | Role::Configuration => ChangeClass::Breaking,
            Role::State => ChangeClass::Additive,
            Role::Answer => ChangeClass::Text,
        };
        let text = |default: Option<&Value>| {
            default.map_or("none".to_owned(), |value| format!("`{}`", shown(value)))
        };
        let message = format!("`default` was {}, is {}", text(old), text(new));
        self.push(class, path, message);
    }

    fn push(&mut self, class: ChangeClass, path: &str, message: String) {
        self.changes.push(SchemaChange {
            class,
            path: path.to_owned(),
            message,
        });
    }
}

/// A schema, followed by the definitions that it refers to, which all apply.
struct Followed<'s>(Vec<SchemaNode<'s>>);

impl<'s> Followed<'s> {
    fn new(node: SchemaNode<'s>, follows: bool) -> Self {
        let hops = if follows { MOST_HOPS } else { 0 };
        let nodes = std::iter::successors(Some(node), |node| node.target());
        Self(nodes.take(hops + 1).collect())
    }

    /// Returns a keyword of the schema itself, or else of a definition.
    fn keyword(&self, keyword: &str) -> Option<&'s Value> {
        self.0.iter().find_map(|node| node.keyword(keyword))
    }

    fn parts(&self) -> Vec<(Branch<'s>, SchemaNode<'s>)> {
        let mut parts = Vec::new();
        for node in &self.0 {
            subschemas(*node, &mut |branch, node| parts.push((branch, node)));
        }
        parts
    }

    fn requires(&self, name: &str) -> bool {
        let mut required = self.0.iter().flat_map(|node| node.required());
        required.any(|required| required == name)
    }

    /// Returns the constants that distinguish a branch of a choice from the others.
    fn identity(&self) -> Vec<&'s Value> {
        let own = ["type", "const", "enum"].into_iter();
        let own = own.filter_map(|keyword| self.keyword(keyword));
        let tags = self.properties();
        own.chain(tags.filter_map(|(_, property)| property.keyword("const")))
            .collect()
    }

    fn properties(&self) -> impl Iterator<Item = (&'s str, SchemaNode<'s>)> {
        self.0.iter().flat_map(|node| node.properties())
    }
}

/// The parts of a schema, indexed for comparison with a different schema.
struct Parts<'s> {
    parts: HashMap<Branch<'s>, SchemaNode<'s>>,
    /// The branches of choices, by key. If several branches have the same key, the first one counts.
    branches: HashMap<BranchKey<'s>, (usize, SchemaNode<'s>)>,
}

/// A key that finds the same branch in a different schema.
#[derive(Clone, PartialEq, Eq, Hash)]
struct BranchKey<'s> {
    keyword: &'s str,
    /// The constants of the branch, as JSON.
    identity: String,
    mark: Mark<'s>,
}

#[derive(Clone, PartialEq, Eq, Hash)]
enum Mark<'s> {
    Reference(String),
    Required(String),
    Property(&'s str),
}

impl<'s> Parts<'s> {
    fn of(parts: Vec<(Branch<'s>, SchemaNode<'s>)>) -> Self {
        let mut branches = HashMap::new();
        for (place, (branch, node)) in parts.iter().enumerate() {
            if let Branch::Index(keyword @ ("oneOf" | "anyOf"), _) = *branch {
                for key in keys(keyword, *node).into_iter().flatten() {
                    branches.entry(key).or_insert((place, *node));
                }
            }
        }
        Self {
            parts: parts.into_iter().collect(),
            branches,
        }
    }

    /// Returns the part of this schema that corresponds to a part of a different schema. Branches of a choice may be reordered,
    /// so they are found by their keys. Their other fields may have changed.
    fn counterpart(&self, branch: Branch<'_>, node: SchemaNode<'_>) -> Option<SchemaNode<'s>> {
        let Branch::Index(keyword @ ("oneOf" | "anyOf"), _) = branch else {
            return self.parts.get(&branch).copied();
        };
        keys(keyword, node).into_iter().find_map(|keys| {
            let found = keys.iter().filter_map(|key| self.branches.get(key));
            found.min_by_key(|(place, _)| *place).map(|(_, node)| *node)
        })
    }
}

/// Returns the keys of a branch: by its reference, by its required properties, and by each of its properties.
fn keys<'s>(keyword: &'s str, node: SchemaNode<'s>) -> [Vec<BranchKey<'s>>; 3] {
    let node = Followed::new(node, true);
    let identity = serde_json::to_string(&node.identity()).unwrap_or_default();
    let key = |mark| BranchKey {
        keyword,
        identity: identity.clone(),
        mark,
    };
    let text = |keyword: &str| node.keyword(keyword).map(Value::to_string);
    [
        text("$ref")
            .map(Mark::Reference)
            .map(key)
            .into_iter()
            .collect(),
        vec![key(Mark::Required(text("required").unwrap_or_default()))],
        node.properties()
            .map(|(name, _)| key(Mark::Property(name)))
            .collect(),
    ]
}

/// Returns the path of the values that a subschema describes.
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
