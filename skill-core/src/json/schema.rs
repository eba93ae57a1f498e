//! JSON schemas of types, and of objects put together from them.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::{RecursiveTransform, ReplaceBoolSchemas, Transform};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

/// A function that returns a schema made once per process.
pub type SchemaFn = fn() -> &'static Value;

/// The settings every schema of the project is made with: draft 2020-12, subschemas inlined.
///
/// Many readers of schemas do not follow references, so only types that contain themselves get one.
pub(crate) fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        })
        .into_generator()
}

/// The schema of a `T` as a document that stands alone: what it refers to is under its own `$defs`.
pub(crate) fn schema_of<T: JsonSchema>() -> Schema {
    schema_by(SchemaGenerator::subschema_for::<T>)
}

/// The same of what a function describes. With `T::json_schema` nothing of schemars is compiled for `T`; a type that contains
/// itself is described once more within itself then.
pub(crate) fn schema_by(describe: fn(&mut SchemaGenerator) -> Schema) -> Schema {
    let mut generator = generator();
    let schema = describe(&mut generator);
    finish(schema, generator)
}

/// The schema of a `T` that is written rather than read: what serde skips when it is absent from a
/// document has to be in one that it wrote.
pub(crate) fn answer_schema_of<T: JsonSchema>() -> Schema {
    let settings = generator().settings().clone().for_serialize();
    let mut generator = settings.into_generator();
    let schema = generator.subschema_for::<T>();
    finish(schema, generator)
}

/// Gives `schema` the definitions it refers to, and the form that decoders rely on.
fn finish(mut schema: Schema, mut generator: SchemaGenerator) -> Schema {
    let definitions = generator.take_definitions(false);
    // A reference at the root says nothing to most readers; only a schema written by hand has one.
    if let Some(name) = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.strip_prefix("#/$defs/"))
        && let Some(Value::Object(definition)) = definitions.get(name)
    {
        schema = Schema::from(definition.clone());
    }
    if !definitions.is_empty() {
        schema.insert("$defs".to_owned(), Value::Object(definitions));
    }
    let mut no_bare_booleans = ReplaceBoolSchemas::default();
    no_bare_booleans.skip_additional_properties = true;
    no_bare_booleans.transform(&mut schema);
    RecursiveTransform(always_properties).transform(&mut schema);
    schema
}

/// Decoders refuse an object schema without `properties`, and an empty list of them says the same.
fn always_properties(schema: &mut Schema) {
    let is_object = match schema.get("type") {
        Some(Value::String(kind)) => kind == "object",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
        _ => false,
    };
    if is_object && schema.get("properties").is_none() {
        schema.insert("properties".to_owned(), json!({}));
    }
}

/// The schema of an object that is put together from parts, such as an agent's state from its skills'.
///
/// The parts are made by one generator, so that their definitions meet in one place:
///
/// ```text
/// let mut generator = generator();
/// let calculator = generator.subschema_for::<Calculator>();
/// let schema = ObjectSchema::new("Agent with calculation abilities.")
///     .property("calculator", calculator)
///     .finish(generator);
/// ```
#[derive(Clone, Debug, Default)]
pub(crate) struct ObjectSchema {
    description: String,
    properties: Map<String, Value>,
}

impl ObjectSchema {
    /// An object without properties; an empty description is left out.
    pub(crate) fn new(description: impl Into<String>) -> Self {
        Self {
            description: description.into(),
            ..Self::default()
        }
    }

    /// Adds a property, after those that are there already.
    #[must_use]
    pub(crate) fn property(mut self, key: impl Into<String>, schema: Schema) -> Self {
        self.properties.insert(key.into(), schema.to_value());
        self
    }

    /// The schema, which allows no other properties, with the definitions that `generator` has collected.
    pub(crate) fn finish(self, generator: SchemaGenerator) -> Schema {
        let mut object = Map::new();
        if !self.description.is_empty() {
            object.insert("description".to_owned(), Value::String(self.description));
        }
        object.insert("type".to_owned(), json!("object"));
        object.insert("properties".to_owned(), Value::Object(self.properties));
        object.insert("additionalProperties".to_owned(), json!(false));
        finish(Schema::from(object), generator)
    }
}
