//! Checks the actions of a skill: their schemas, and the defaults and examples of their arguments.

use super::Problems;
use super::values::object_schema;
use serde_json::{Value, json};
use skill_agent_schema::SchemaNode;
use skill_agent_schema::join;
use skill_core::__private::is_argument_name;
use skill_core::process::{catch, read_entry};
use skill_core::{ActionEntry, ActionSpec, Problem, ReadError, Skill};

/// Returns the path that problems use for an action.
pub(super) fn path_of(action: &ActionSpec) -> String {
    format!("actions.{}", action.name)
}

pub(super) fn check<S: Skill>(problems: &mut Problems) {
    for entry in S::ACTIONS {
        let spec = entry.spec();
        let path = path_of(&spec);
        problems.run(&format!("{path}.output"), "the schema", || {
            spec.output_schema()
        });
        let path = format!("{path}.arguments");
        let schema = problems.run(&path, "the schema", || spec.input_schema());
        if let Some(schema) = schema {
            object_schema(&path, schema, problems);
            let read = |arguments: &Value| read(entry, arguments);
            Arguments {
                path,
                read: &read,
                problems,
            }
            .check(SchemaNode::root(schema));
        }
    }
}

/// Reads an action's arguments. An error contains at least one problem.
fn read<S: Skill>(entry: &ActionEntry<S>, arguments: &Value) -> Result<(), Vec<Problem>> {
    let of_all = |message: String| Err(vec![Problem::new("", message)]);
    match catch(|| read_entry(entry, arguments).map(drop)) {
        Ok(Ok(())) => Ok(()),
        Ok(Err(error @ (ReadError::Data(_) | ReadError::Several(_)))) => {
            Err(error.problems().to_vec())
        }
        Ok(Err(other)) => of_all(other.to_string()),
        Err(panic) => of_all(format!("`Deserialize` panicked: {panic}")),
    }
}

/// Reads arguments. Returns their problems on failure.
type ReadArguments = dyn Fn(&Value) -> Result<(), Vec<Problem>>;

/// The arguments of one action.
struct Arguments<'a> {
    path: String,
    read: &'a ReadArguments,
    problems: &'a mut Problems,
}

impl Arguments<'_> {
    fn check(&mut self, schema: SchemaNode<'_>) {
        for (name, _) in schema.properties() {
            if !is_argument_name(name) {
                let message =
                    "the name of an argument has 1 to 64 letters, digits, `_`, `-` or `.`";
                self.problems.add(join(&self.path, name), message);
            }
        }
        if schema.required().next().is_none()
            && let Err(found) = (self.read)(&json!({}))
        {
            for Problem { path, message, .. } in found {
                let message = format!("no argument is required, and `{{}}` is refused: {message}");
                self.problems
                    .add_below(&self.path, Problem::new(path, message));
            }
        }
        self.values_of(schema, &mut Vec::new());
    }

    /// Checks the defaults and examples of a schema and of its properties and items. References are not followed, because only
    /// recursive types have them in an action's schema.
    fn values_of(&mut self, schema: SchemaNode<'_>, steps: &mut Vec<ArgumentStep>) {
        let examples = schema.keyword("examples").and_then(Value::as_array);
        for example in examples.into_iter().flatten() {
            self.value("example", example, steps);
        }
        if let Some(default) = schema.keyword("default") {
            self.value("default", default, steps);
        }
        for (name, property) in schema.properties() {
            steps.push(ArgumentStep {
                name: Some(name.to_owned()),
                needs_others: schema.required().any(|other| other != name),
            });
            self.values_of(property, steps);
            steps.pop();
        }
        if let Some(items) = schema.keyword("items").filter(|items| items.is_object()) {
            steps.push(ArgumentStep {
                name: None,
                needs_others: false,
            });
            self.values_of(SchemaNode::root(items), steps);
            steps.pop();
        }
    }

    /// Reads arguments that contain only this value. Other required arguments are then missing, but that does not count as a
    /// problem of the value.
    fn value(&mut self, kind: &str, value: &Value, steps: &[ArgumentStep]) {
        let arguments = steps
            .iter()
            .rev()
            .fold(value.clone(), |inner, step| match &step.name {
                Some(name) => json!({ name: inner }),
                None => json!([inner]),
            });
        let Err(found) = (self.read)(&arguments) else {
            return;
        };
        let here = path_to(steps);
        let is_alone = !steps.iter().any(|step| step.needs_others);
        let mut of_value = found
            .into_iter()
            .filter(|problem| is_alone || is_within(&problem.path, &here));
        if let Some(Problem { message, .. }) = of_value.next() {
            let message = format!("the {kind} {value} is refused: {message}");
            self.problems
                .add_below(&self.path, Problem::new(here, message));
        }
    }
}

/// A step from the arguments to a value inside them.
struct ArgumentStep {
    /// The property's name, or `None` for a list item.
    name: Option<String>,
    /// Whether the object requires other properties too.
    needs_others: bool,
}

fn path_to(steps: &[ArgumentStep]) -> String {
    steps
        .iter()
        .fold(String::new(), |path, step| match &step.name {
            Some(name) => join(&path, name),
            None => path + "[0]",
        })
}

/// Returns whether a path leads to a value or into it.
fn is_within(path: &str, value: &str) -> bool {
    let rest = path.strip_prefix(value);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}
