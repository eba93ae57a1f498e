//! Whether a value has the structure of a schema, for values that nothing has read yet.

use super::constraints::has_structure;
use super::path::Step;
use super::problem::Problem;
use super::schema_node::SchemaNode;
use serde_json::Value;

/// The problems of a value that does not have the structure of its schema: one for each property of an object, or one for the value.
pub(crate) fn structure_problems(value: &Value, schema: &Value) -> Vec<Problem> {
    const MESSAGE: &str = "its value does not have the structure of its schema";
    let root = SchemaNode::root(schema);
    let node = root.resolved();
    let entries = value.as_object().into_iter().flatten();
    let wrong = entries.filter(|(key, entry)| {
        let step = Step::Key(String::clone(key).into());
        node.part(&step)
            .is_some_and(|part| !has_structure(entry, part))
    });
    let mut problems: Vec<Problem> = wrong
        .map(|(key, _)| Problem::new(key.as_str(), MESSAGE))
        .collect();
    if problems.is_empty() && !has_structure(value, root) {
        problems.push(Problem::new("", MESSAGE));
    }
    problems
}
