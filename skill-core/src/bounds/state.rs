//! A skill's state.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::DeserializeOwned;
use serde::ser::{Serialize, Serializer};
use serde_json::Value;
use skill_agent_schema::{self as json, Layout, Problem, Update, WriteError};
use std::any::Any;
use std::sync::Arc;

/// A JSON value and the first write error, if any. Values that could not be written are `null`.
pub(crate) type PartialJson = (Value, Option<WriteError>);

/// A type-erased state.
pub(crate) type SharedState = Arc<dyn Any + Send + Sync>;

pub(super) fn partial_json<T: Serialize>(value: &T) -> PartialJson {
    match json::write_value(value) {
        Ok(complete) => (complete, None),
        Err(error) => (serde_json::to_value(value).unwrap_or_default(), Some(error)),
    }
}

/// A skill's state: `Default + Clone + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static`.
///
/// Implemented for every such type. Do not implement it yourself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot hold the state of a skill: it lacks one or more derives",
    label = "a derive is missing on `{Self}`",
    note = "a skill needs all of `#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]` on `{Self}`, and to be `Send + Sync`; `Default` comes from `#[skill(default = ...)]` where fields have it",
    note = "`Serialize` and `Deserialize` are those of serde 1, `JsonSchema` is that of schemars 1"
)]
pub trait SkillState: Sized + Send + Sync + 'static {
    #[doc(hidden)]
    fn __default() -> Self;
    #[doc(hidden)]
    fn __clone(&self) -> Self;
    #[doc(hidden)]
    fn __share(self) -> SharedState;
    #[doc(hidden)]
    fn __serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
    #[doc(hidden)]
    fn __to_value(&self) -> PartialJson;
    #[doc(hidden)]
    fn __update(
        &self,
        document: &Value,
        update: Update,
        at: &str,
        layout: Layout,
        problems: &mut Vec<Problem>,
    ) -> Option<Self>;
    #[doc(hidden)]
    fn __stored(&self) -> &dyn erased_serde::Serialize;
    #[doc(hidden)]
    fn __from_stored(stored: &mut StoredState<'_, '_>) -> Result<Self, erased_serde::Error>;
    #[doc(hidden)]
    fn __schema(generator: &mut SchemaGenerator) -> Schema;
    #[doc(hidden)]
    fn __json_schema() -> Schema;
}

/// A closure that restores a saved state.
pub(crate) type Undo<S> = Box<dyn FnOnce(&mut S) + Send>;

/// A deserializer over a stored state, in any format.
#[doc(hidden)]
pub type StoredState<'a, 'de> = dyn erased_serde::Deserializer<'de> + 'a;

#[diagnostic::do_not_recommend]
impl<T> SkillState for T
where
    T: Default + Clone + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static,
{
    fn __default() -> Self {
        Self::default()
    }
    #[inline]
    fn __clone(&self) -> Self {
        self.clone()
    }
    fn __share(self) -> SharedState {
        Arc::new(self)
    }
    fn __serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialize(serializer)
    }
    fn __to_value(&self) -> PartialJson {
        partial_json(self)
    }
    fn __update(
        &self,
        document: &Value,
        update: Update,
        at: &str,
        layout: Layout,
        problems: &mut Vec<Problem>,
    ) -> Option<Self> {
        json::update(self, document, update, at, layout, problems)
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
    fn __json_schema() -> Schema {
        json::closed(json::schema_of::<T>())
    }
}
