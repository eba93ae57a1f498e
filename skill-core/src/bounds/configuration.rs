//! The configuration of a skill, and the state of a skill by way of it.

use super::state::{PartialJson, Shared, SkillState, StoredState, Undo, partial_json};
use crate::json::{self, Problem, SchemaFn};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

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
