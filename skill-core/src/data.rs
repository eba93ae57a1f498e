//! The requirements on the types of users, one trait for each use of a type.
//!
//! Each replaces several bounds (`Clone + Serialize + …`) and has hidden methods for what those bounds allow.
//! As supertraits, the bounds would cause one rustc error each for one forgotten derive. Behind a blanket impl with
//! `do_not_recommend` they cause one error, with our message, at the user's token.
//!
//! The bounds of the state of a skill are bounds of its *configuration* ([`ConfigOf`]): a bound on an associated type is checked
//! once, where the skill is implemented, but a supertrait everywhere the skill is mentioned.

use crate::json::{self, Problem, SchemaFn, WriteError};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::{DeserializeOwned, Deserializer};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;
use std::any::Any;
use std::error::Error as StdError;
use std::sync::Arc;

/// JSON, and the first error if it is incomplete: it then has `null` in the place of what could not be written.
pub(crate) type PartialJson = (Value, Option<WriteError>);

/// A state without its type.
pub(crate) type Shared = Arc<dyn Any + Send + Sync>;

fn partial_json<T: Serialize>(value: &T) -> PartialJson {
    match json::write_value(value) {
        Ok(whole) => (whole, None),
        Err(error) => (serde_json::to_value(value).unwrap_or_default(), Some(error)),
    }
}

/// The state of a skill: `Default + Clone + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static`.
///
/// Implemented for every such type; never by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold the state of a skill: it lacks one or more derives",
    label = "a derive is missing on `{Self}`",
    note = "a skill needs all of `#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]` on `{Self}`, and to be `Send + Sync`; `Default` comes from `#[skill(default = ...)]` where fields have it"
)]
pub trait SkillState: Sized + Send + Sync + 'static {
    #[doc(hidden)]
    fn __fresh() -> Self;
    #[doc(hidden)]
    fn __duplicate(&self) -> Self;
    #[doc(hidden)]
    fn __share(self) -> Shared;
    #[doc(hidden)]
    fn __serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
    #[doc(hidden)]
    fn __to_value(&self) -> PartialJson;
    #[doc(hidden)]
    fn __merge(
        &self,
        patch: &Value,
        at: &str,
        schema: Option<SchemaFn>,
        problems: &mut Vec<Problem>,
    ) -> Option<Self>;
    #[doc(hidden)]
    fn __stored(&self) -> &dyn erased_serde::Serialize;
    #[doc(hidden)]
    fn __from_stored(stored: &mut StoredState<'_, '_>) -> Result<Self, erased_serde::Error>;
    #[doc(hidden)]
    fn __schema(generator: &mut SchemaGenerator) -> Schema;
    #[doc(hidden)]
    fn __document() -> Value;
}

/// Restores a state.
#[doc(hidden)]
pub(crate) type Undo<S> = Box<dyn FnOnce(&mut S) + Send>;

/// A state in a store, in any format.
#[doc(hidden)]
pub type StoredState<'a, 'de> = dyn erased_serde::Deserializer<'de> + 'a;

#[diagnostic::do_not_recommend]
impl<T> SkillState for T
where
    T: Default + Clone + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static,
{
    fn __fresh() -> Self {
        Self::default()
    }
    #[inline]
    fn __duplicate(&self) -> Self {
        self.clone()
    }
    fn __share(self) -> Shared {
        Arc::new(self)
    }
    fn __serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
    fn __to_value(&self) -> PartialJson {
        partial_json(self)
    }
    fn __merge(
        &self,
        patch: &Value,
        at: &str,
        schema: Option<SchemaFn>,
        problems: &mut Vec<Problem>,
    ) -> Option<Self> {
        json::merge(self, patch, at, schema, problems)
    }
    fn __stored(&self) -> &dyn erased_serde::Serialize {
        self
    }
    fn __from_stored(stored: &mut StoredState<'_, '_>) -> Result<Self, erased_serde::Error> {
        erased_serde::deserialize(stored)
    }
    fn __schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
    fn __document() -> Value {
        json::closed(json::schema_of::<T>()).into()
    }
}

/// The configuration of a skill: `Default + Clone + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static`.
///
/// Implemented for every such type; never by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the configuration of a skill: it lacks one or more derives",
    label = "a derive is missing on `{Self}`",
    note = "a configuration needs all of `#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]` on `{Self}`, and to be `Send + Sync`"
)]
pub trait Configuration: Sized + Send + Sync + 'static {
    #[doc(hidden)]
    fn __fresh() -> Self;
    #[doc(hidden)]
    fn __to_value(&self) -> PartialJson;
    #[doc(hidden)]
    fn __merge(
        &self,
        patch: &Value,
        at: &str,
        schema: Option<SchemaFn>,
        problems: &mut Vec<Problem>,
    ) -> Option<Self>;
    #[doc(hidden)]
    fn __document() -> Value;
}

#[diagnostic::do_not_recommend]
impl<T> Configuration for T
where
    T: Default + Clone + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static,
{
    fn __fresh() -> Self {
        Self::default()
    }
    fn __to_value(&self) -> PartialJson {
        partial_json(self)
    }
    fn __merge(
        &self,
        patch: &Value,
        at: &str,
        schema: Option<SchemaFn>,
        problems: &mut Vec<Problem>,
    ) -> Option<Self> {
        json::merge(self, patch, at, schema, problems)
    }
    fn __document() -> Value {
        json::closed(json::schema_of::<T>()).into()
    }
}

/// The configuration of the skill `S`, with type-erasable operations on the state of the skill.
///
/// Implemented for every [`Configuration`] if `S` is a [`SkillState`]; never by hand. The error of rustc names the missing one.
pub trait ConfigOf<S>: Configuration {
    #[doc(hidden)]
    fn __fresh_state() -> S;
    #[doc(hidden)]
    fn __duplicate(state: &S) -> S;
    #[doc(hidden)]
    fn __undo<T: 'static>(saved: S, of: fn(&mut T) -> &mut S) -> Undo<T>;
    #[doc(hidden)]
    fn __share_state(state: S) -> Shared;
    #[doc(hidden)]
    fn __serialize_state<T: Serializer>(state: &S, serializer: T) -> Result<T::Ok, T::Error>;
    #[doc(hidden)]
    fn __state_value(state: &S) -> PartialJson;
    #[doc(hidden)]
    fn __merge_state(
        state: &S,
        patch: &Value,
        at: &str,
        schema: Option<SchemaFn>,
        problems: &mut Vec<Problem>,
    ) -> Option<S>;
    #[doc(hidden)]
    fn __stored(state: &S) -> &dyn erased_serde::Serialize;
    #[doc(hidden)]
    fn __from_stored(stored: &mut StoredState<'_, '_>) -> Result<S, erased_serde::Error>;
    #[doc(hidden)]
    fn __state_schema(generator: &mut SchemaGenerator) -> Schema;
    #[doc(hidden)]
    fn __state_document() -> Value;
}

impl<S: SkillState, C: Configuration> ConfigOf<S> for C {
    fn __fresh_state() -> S {
        S::__fresh()
    }
    #[inline]
    fn __duplicate(state: &S) -> S {
        state.__duplicate()
    }
    fn __undo<T: 'static>(saved: S, of: fn(&mut T) -> &mut S) -> Undo<T> {
        Box::new(move |state| *of(state) = saved)
    }
    fn __share_state(state: S) -> Shared {
        state.__share()
    }
    fn __serialize_state<T: Serializer>(state: &S, serializer: T) -> Result<T::Ok, T::Error> {
        state.__serialize(serializer)
    }
    fn __state_value(state: &S) -> PartialJson {
        state.__to_value()
    }
    fn __merge_state(
        state: &S,
        patch: &Value,
        at: &str,
        schema: Option<SchemaFn>,
        problems: &mut Vec<Problem>,
    ) -> Option<S> {
        state.__merge(patch, at, schema, problems)
    }
    fn __stored(state: &S) -> &dyn erased_serde::Serialize {
        state.__stored()
    }
    fn __from_stored(stored: &mut StoredState<'_, '_>) -> Result<S, erased_serde::Error> {
        S::__from_stored(stored)
    }
    fn __state_schema(generator: &mut SchemaGenerator) -> Schema {
        S::__schema(generator)
    }
    fn __state_document() -> Value {
        S::__document()
    }
}

/// The arguments of an action, which are the struct of the action: `Serialize + DeserializeOwned + JsonSchema + 'static`.
///
/// Implemented for every such type; never by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from the arguments of a tool call: it lacks one or more derives",
    label = "a derive is missing",
    note = "an action written by hand needs `#[derive(Serialize, Deserialize, JsonSchema)]` on `{Self}`"
)]
pub trait ActionArguments: Sized + 'static {
    #[doc(hidden)]
    fn __read(text: &str) -> Result<Self, json::ReadError>;
    #[doc(hidden)]
    fn __read_value(value: &Value) -> Result<Self, json::ReadError>;
    #[doc(hidden)]
    fn __to_value(&self) -> Result<Value, WriteError>;
    #[doc(hidden)]
    fn __schema() -> Value;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + DeserializeOwned + JsonSchema + 'static> ActionArguments for T {
    #[inline]
    fn __read(text: &str) -> Result<Self, json::ReadError> {
        json::read(text)
    }
    fn __read_value(value: &Value) -> Result<Self, json::ReadError> {
        json::read_value(value)
    }
    fn __to_value(&self) -> Result<Value, WriteError> {
        json::write_value(self)
    }
    fn __schema() -> Value {
        json::schema_by(T::json_schema).into()
    }
}

/// One argument of an action: `Serialize + DeserializeOwned + JsonSchema + Send + 'static`.
///
/// Implemented for every such type; never by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an argument or a base field: it lacks one or more derives",
    label = "cannot be read from JSON and described",
    note = "it needs `#[derive(Serialize, Deserialize, JsonSchema)]`; `Serialize` and `Deserialize` are those of serde 1, `JsonSchema` is that of schemars 1"
)]
pub trait Argument: Sized + Send + 'static {
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

/// The output of an action: `Serialize + JsonSchema + Send + 'static`.
///
/// Implemented for every such type; never by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the answer of an action: it lacks one or more derives",
    label = "cannot be written as JSON and described to a model",
    note = "an answer needs `#[derive(Serialize, JsonSchema)]`; an action that can fail returns `Result<Answer, Error>`"
)]
pub trait Answer: Sized + Send + 'static {
    /// Writes JSON text. `is_json_safe` is [`Action::JSON_SAFE`](crate::Action::JSON_SAFE).
    #[doc(hidden)]
    fn __write(&self, is_json_safe: bool) -> Result<String, WriteError>;
    #[doc(hidden)]
    fn __schema() -> Value;
}

#[diagnostic::do_not_recommend]
impl<T: Serialize + JsonSchema + Send + 'static> Answer for T {
    #[inline]
    fn __write(&self, is_json_safe: bool) -> Result<String, WriteError> {
        if is_json_safe {
            json::write_json_safe(self)
        } else {
            json::write(self)
        }
    }
    fn __schema() -> Value {
        json::answer_schema_of::<T>().into()
    }
}

/// The error of an action: any [`std::error::Error`], or a type that converts to one (`String`, `anyhow::Error`), that is `Send + Sync + 'static`.
///
/// Implemented for every such type; never by hand.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the error of an action",
    label = "not an error that can be sent",
    note = "an action fails with a type that has `#[derive(Debug, thiserror::Error)]`, with a `String`, or with a `Box<dyn std::error::Error + Send + Sync>`"
)]
pub trait ActionError: Sized {
    #[doc(hidden)]
    fn __boxed(self) -> Box<dyn StdError + Send + Sync>;
    #[doc(hidden)]
    fn __any(self) -> Box<dyn Any + Send>;
}

#[diagnostic::do_not_recommend]
impl<T: Into<Box<dyn StdError + Send + Sync>> + Send + 'static> ActionError for T {
    fn __boxed(self) -> Box<dyn StdError + Send + Sync> {
        self.into()
    }
    fn __any(self) -> Box<dyn Any + Send> {
        Box::new(self)
    }
}
