//! Generates the schema of an action's arguments from their table.

use super::{ArgumentAt, ArgumentList, read};
use crate::ActionSpec;
use crate::bounds::Argument;
use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value, json};
use skill_agent_schema as json;

/// The description of one argument. All parts except the text are functions, which run when the schema is generated.
#[derive(Clone, Copy, Debug)]
pub struct Arg {
    description: &'static str,
    schema: fn(&mut SchemaGenerator) -> Schema,
    may_be_missing: fn() -> bool,
    default: Option<fn() -> Value>,
    refine: Option<fn(&mut Schema)>,
}

impl Arg {
    /// Describes the argument `I` of `A`.
    pub const fn of<A: ArgumentAt<I>, const I: usize>(description: &'static str) -> Self {
        Self {
            description,
            schema: A::Type::__schema,
            may_be_missing: read::may_be_missing::<A::Type>,
            default: None,
            refine: None,
        }
    }

    crate::setters! {
        /// Sets the value used if the argument is left out.
        pub const fn default(default: fn() -> Value) { default = Some(default) }

        /// Adds constraints and examples.
        pub const fn refine(refine: fn(&mut Schema)) { refine = Some(refine) }
    }

    fn describe(&self, generator: &mut SchemaGenerator) -> Schema {
        let mut schema = (self.schema)(generator);
        if !self.description.is_empty() {
            schema.insert("description".to_owned(), json!(self.description));
        }
        // `null` may stand for a default that JSON cannot represent
        if let Some(default) = self.default.map(|default| default())
            && (!default.is_null() || (self.may_be_missing)())
        {
            schema.insert("default".to_owned(), default);
        }
        if let Some(refine) = self.refine {
            refine(&mut schema);
        }
        schema
    }
}

/// Implements `JsonSchema::json_schema` for an action's struct.
pub fn arguments_schema<A: ArgumentList>(generator: &mut SchemaGenerator) -> Schema {
    object(A::DESCRIPTION, A::NAMES, A::ARGS, generator)
}

fn object(
    description: &str,
    names: &[&str],
    args: &[Arg],
    generator: &mut SchemaGenerator,
) -> Schema {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, arg) in names.iter().zip(args) {
        properties.insert((*name).to_owned(), arg.describe(generator).into());
        if arg.default.is_none() && !(arg.may_be_missing)() {
            required.push(*name);
        }
    }
    let mut object = Map::new();
    object.insert("type".to_owned(), json!("object"));
    object.insert("description".to_owned(), json!(description));
    object.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        object.insert("required".to_owned(), json!(required));
    }
    object.insert("additionalProperties".to_owned(), json!(false));
    object.into()
}

/// Converts a default or an example of argument `I` to JSON by parsing its text, so that an `f32` keeps its digits. A value that
/// JSON cannot represent becomes `null`, as in serde_json.
pub fn value<A: ArgumentAt<I>, const I: usize>(value: A::Type) -> Value {
    let mut text = Vec::new();
    let written = value.__serialize(&mut serde_json::Serializer::new(&mut text));
    written
        .and_then(|()| serde_json::from_slice(&text))
        .unwrap_or_default()
}

/// Writes an argument's examples into its schema.
pub fn examples(schema: &mut Schema, examples: Vec<Value>) {
    schema.insert("examples".to_owned(), examples.into());
}

/// Returns the schema of an action's arguments, with the skill's descriptions in place of the action's own.
pub fn describe_arguments(action: &ActionSpec, descriptions: &[(&str, &str)]) -> Value {
    let mut schema = action.input_schema().clone();
    json::describe_properties(&mut schema, descriptions);
    json::remove_repeated_descriptions(&mut schema, action.description);
    schema
}

/// Refines a property of a derived object schema.
pub fn refine_property(schema: &mut Schema, name: &str, refine: fn(&mut Schema)) {
    let properties = schema.get_mut("properties");
    let property = properties.and_then(|properties| properties.get_mut(name));
    if let Some(property) = property
        && let Ok(mut refined) = Schema::try_from(property.clone())
    {
        refine(&mut refined);
        *property = refined.into();
    }
}
