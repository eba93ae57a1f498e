//! An action's arguments, together and one by one.

use crate::signal::Signal;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{Deserialize, DeserializeOwned, Deserializer};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;
use skill_agent_schema::{self as json, SchemaFn, Sent, WriteError};

/// An action's arguments, which are the action's struct: `Serialize + DeserializeOwned + JsonSchema + Send + 'static`.
///
/// Implemented for every such type. Do not implement it yourself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the arguments of a tool call: it lacks one or more derives",
    label = "a derive is missing",
    note = "an action written by hand needs `#[derive(Serialize, Deserialize, JsonSchema)]` on `{Self}`"
)]
pub trait ActionArguments: Sized + Send + 'static {
    #[doc(hidden)]
    fn __read(text: &str, schema: SchemaFn) -> Result<Self, json::ReadError>;
    #[doc(hidden)]
    fn __read_value(value: &Value, schema: SchemaFn) -> Result<Self, json::ReadError>;
    #[doc(hidden)]
    fn __to_value(&self) -> Result<Value, WriteError>;
    /// Returns the schema for a tool with the description `description`.
    #[doc(hidden)]
    fn __tool_schema(description: &str) -> Value;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + JsonSchema + Send + 'static> ActionArguments for T {
    #[inline]
    fn __read(text: &str, schema: SchemaFn) -> Result<Self, json::ReadError> {
        json::read(text)
            .map_err(|error| json::with_all_mistakes::<T>(error, Sent::Text(text), schema()))
    }
    fn __read_value(value: &Value, schema: SchemaFn) -> Result<Self, json::ReadError> {
        json::read_value(value)
            .map_err(|error| json::with_all_mistakes::<T>(error, Sent::Value(value), schema()))
    }
    fn __to_value(&self) -> Result<Value, WriteError> {
        json::write_value(self)
    }
    fn __tool_schema(description: &str) -> Value {
        let mut schema = json::schema_by(T::json_schema).into();
        json::remove_repeated_descriptions(&mut schema, description);
        schema
    }
}

/// One argument of an action: `Serialize + DeserializeOwned + JsonSchema + Send + 'static`.
///
/// Implemented for every such type. Do not implement it yourself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument or a base field: it cannot be read from JSON and described",
    label = "not `Serialize + Deserialize + JsonSchema`",
    note = "a type of your own needs `#[derive(Serialize, Deserialize, JsonSchema)]`; `Serialize` and `Deserialize` come from serde 1, and `JsonSchema` from schemars 1",
    note = "a type of another crate needs the feature `serde` of that crate and a feature of schemars: `chrono04`, `jiff02`, `uuid1`, `url2`, `rust_decimal1`, `bigdecimal04`, `bytes1`, `indexmap2`, `semver1`, `smallvec1` or `smol_str03`; otherwise take a number or a text, such as the seconds of an `Instant`, and convert it",
    note = "a client, a pool or a handle is no argument: an async action takes it by reference, as `&{Self}`, from the resources of its server"
)]
pub trait Argument: Sized + Send + 'static {
    #[doc(hidden)]
    const __IS_SIGNAL: bool = false;
    #[doc(hidden)]
    fn __read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
    #[doc(hidden)]
    fn __serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
    #[doc(hidden)]
    fn __schema(generator: &mut SchemaGenerator) -> Schema;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + JsonSchema + Send + 'static> Argument for T {
    #[inline]
    fn __read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(deserializer)
    }
    fn __serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
    fn __schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

/// A whole signal is not an argument. This impl replaces the error about missing derives, and
/// [`report_whole_signal`](crate::arguments::report_whole_signal) gives the right one.
#[diagnostic::do_not_recommend]
impl Argument for Signal {
    const __IS_SIGNAL: bool = true;
    fn __read<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::deserialize(deserializer)
    }
    fn __serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
    fn __schema(_: &mut SchemaGenerator) -> Schema {
        Schema::default()
    }
}
