//! JSON schemas of types, and of objects composed of them.

use schemars::generate::{SchemaGenerator, SchemaSettings};
use schemars::transform::{RecursiveTransform, ReplaceBoolSchemas, Transform};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use crate::schema::node::percent_decoded;

/// Returns a schema that is built once per process.
pub type SchemaFn = fn() -> &'static Value;

/// Returns a generator with the settings of all our schemas: draft 2020-12, subschemas inlined.
///
/// Many schema readers do not follow references, so only recursive types are written as references.
pub fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12()
        .with(|settings| {
            settings.inline_subschemas = true;
            settings.meta_schema = None;
        })
        .into_generator()
}

/// Returns the schema of `T` as a separate document, with its definitions under `$defs`.
pub fn schema_of<T: JsonSchema>() -> Schema {
    schema_by(SchemaGenerator::subschema_for::<T>)
}

/// Returns the schema that `describe` generates, as a separate document. Passing `T::json_schema` compiles less schemars code for
/// `T` than [`schema_of`], but a recursive type is then repeated once within itself.
pub fn schema_by(describe: fn(&mut SchemaGenerator) -> Schema) -> Schema {
    let mut generator = generator();
    let schema = describe(&mut generator);
    finish(schema, generator)
}

/// Returns the schema of `T` as serialized: fields that may be missing on input are required.
pub fn answer_schema_of<T: JsonSchema>() -> Schema {
    let settings = generator().settings().clone().for_serialize();
    let mut generator = settings.into_generator();
    let schema = generator.subschema_for::<T>();
    finish(schema, generator)
}

/// Adds the definitions to `schema` and converts it to the form that decoders rely on.
fn finish(mut schema: Schema, mut generator: SchemaGenerator) -> Schema {
    let definitions = generator.take_definitions(false);
    // Most readers do not follow a reference at the root. Only hand-written schemas have such a reference.
    if let Some(name) = schema
        .get("$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.strip_prefix("#/$defs/"))
        && let Some(Value::Object(definition)) = definitions.get(&*percent_decoded(name))
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

/// Adds empty `properties` to an object schema that has none, because decoders refuse such schemas.
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

/// The schema of a composed object, such as an agent's state.
///
/// A single generator builds all parts and collects their definitions:
///
/// ```text
/// let mut generator = generator();
/// let calculator = generator.subschema_for::<Calculator>();
/// let schema = ObjectSchema::new("Agent with calculation abilities.")
///     .property("calculator", calculator)
///     .finish(generator);
/// ```
#[derive(Clone, Debug, Default)]
pub struct ObjectSchema {
    description: String,
    properties: Map<String, Value>,
}

impl ObjectSchema {
    /// Creates an object schema without properties. An empty description is left out.
    pub fn new(description: impl Into<String>) -> Self {
        Self {
            description: description.into(),
            ..Self::default()
        }
    }

    /// Adds a property at the end.
    #[must_use]
    pub fn property(mut self, key: impl Into<String>, schema: Schema) -> Self {
        self.properties.insert(key.into(), schema.to_value());
        self
    }

    /// Returns the schema with the definitions of `generator`. No other properties are allowed.
    pub fn finish(self, generator: SchemaGenerator) -> Schema {
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
