//! A skill's configuration, and operations on the skill's state through the configuration type.

use super::state::{PartialJson, SharedState, SkillState, StoredState, Undo, partial_json};
use crate::panics::Replaced;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::ser::{Serialize, Serializer};
use serde_json::Value;
use skill_agent_schema::{self as json, Layout, Problem, Update};

/// A skill's configuration: `Default + Clone + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static`.
///
/// Implemented for every such type. Do not implement it yourself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the configuration of a skill: it lacks one or more derives",
    label = "a derive is missing on `{Self}`",
    note = "a configuration needs all of `#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]` on `{Self}`, and to be `Send + Sync`",
    note = "`Serialize` and `Deserialize` are those of serde 1, `JsonSchema` is that of schemars 1"
)]
pub trait Configuration: Sized + Send + Sync + 'static {
    #[doc(hidden)]
    fn __default() -> Self;
    #[doc(hidden)]
    fn __to_value(&self) -> PartialJson;
    #[doc(hidden)]
    fn __merge(
        &self,
        patch: &Value,
        at: &str,
        layout: Layout,
        problems: &mut Vec<Problem>,
    ) -> Option<Self>;
    #[doc(hidden)]
    fn __stored_config(&self) -> &dyn erased_serde::Serialize;
    #[doc(hidden)]
    fn __config_from_stored(stored: &mut StoredState<'_, '_>) -> Result<Self, erased_serde::Error>;
    #[doc(hidden)]
    fn __json_schema() -> Schema;
}

#[diagnostic::do_not_recommend]
impl<T> Configuration for T
where
    T: Default + Clone + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static,
{
    fn __default() -> Self {
        Self::default()
    }
    fn __to_value(&self) -> PartialJson {
        partial_json(self)
    }
    fn __merge(
        &self,
        patch: &Value,
        at: &str,
        layout: Layout,
        problems: &mut Vec<Problem>,
    ) -> Option<Self> {
        json::update(self, patch, Update::Merge, at, layout, problems)
    }
    fn __stored_config(&self) -> &dyn erased_serde::Serialize {
        self
    }
    fn __config_from_stored(stored: &mut StoredState<'_, '_>) -> Result<Self, erased_serde::Error> {
        erased_serde::deserialize(stored)
    }
    fn __json_schema() -> Schema {
        json::closed(json::schema_of::<T>())
    }
}

/// The configuration of the skill `S`, with type-erasable operations on the skill's state.
///
/// Implemented for every [`Configuration`] if `S` is a [`SkillState`], so that rustc names the missing trait. Do not implement it
/// yourself.
pub trait ConfigOf<S>: Configuration {
    #[doc(hidden)]
    fn __default_state() -> S;
    #[doc(hidden)]
    fn __clone(state: &S) -> S;
    #[doc(hidden)]
    fn __undo<T: 'static>(saved: S, of: fn(&mut T) -> &mut S) -> Undo<T>;
    #[doc(hidden)]
    fn __share_state(state: S) -> SharedState;
    #[doc(hidden)]
    fn __serialize_state<T: Serializer>(state: &S, serializer: T) -> Result<T::Ok, T::Error>;
    #[doc(hidden)]
    fn __state_value(state: &S) -> PartialJson;
    #[doc(hidden)]
    fn __update_state(
        state: &S,
        document: &Value,
        update: Update,
        at: &str,
        layout: Layout,
        problems: &mut Vec<Problem>,
    ) -> Option<S>;
    #[doc(hidden)]
    fn __stored(state: &S) -> &dyn erased_serde::Serialize;
    #[doc(hidden)]
    fn __from_stored(stored: &mut StoredState<'_, '_>) -> Result<S, erased_serde::Error>;
    #[doc(hidden)]
    fn __state_schema(generator: &mut SchemaGenerator) -> Schema;
    #[doc(hidden)]
    fn __state_json_schema() -> Schema;
}

impl<S: SkillState, C: Configuration> ConfigOf<S> for C {
    fn __default_state() -> S {
        S::__default()
    }
    #[inline]
    fn __clone(state: &S) -> S {
        state.__clone()
    }
    fn __undo<T: 'static>(saved: S, of: fn(&mut T) -> &mut S) -> Undo<T> {
        let saved = Replaced::new(saved);
        Box::new(move |state| saved.put_back(of(state)))
    }
    fn __share_state(state: S) -> SharedState {
        state.__share()
    }
    fn __serialize_state<T: Serializer>(state: &S, serializer: T) -> Result<T::Ok, T::Error> {
        state.__serialize(serializer)
    }
    fn __state_value(state: &S) -> PartialJson {
        state.__to_value()
    }
    fn __update_state(
        state: &S,
        document: &Value,
        update: Update,
        at: &str,
        layout: Layout,
        problems: &mut Vec<Problem>,
    ) -> Option<S> {
        state.__update(document, update, at, layout, problems)
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
    fn __state_json_schema() -> Schema {
        S::__json_schema()
    }
}
