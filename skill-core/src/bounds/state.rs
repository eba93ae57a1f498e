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

/// A type-erased state or configuration.
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
    note = "`Serialize` and `Deserialize` come from serde 1, and `JsonSchema` from schemars 1"
)]
pub trait SkillState: Sized + Send + Sync + 'static {
    #[doc(hidden)]
    const __FNS: StateFns;
    #[doc(hidden)]
    fn __default() -> Self;
    #[doc(hidden)]
    fn __clone(&self) -> Self;
    #[doc(hidden)]
    fn __share(self) -> SharedState;
    #[doc(hidden)]
    fn __serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error>;
}

/// Operations on a state of one type, which is erased.
#[doc(hidden)]
#[expect(
    missing_debug_implementations,
    reason = "it holds only function pointers"
)]
pub struct StateFns {
    pub(crate) copy: fn(&dyn Any) -> SharedState,
    pub(crate) swap: fn(&mut dyn Any, &mut dyn Any),
    pub(crate) value: fn(&dyn Any) -> PartialJson,
    /// Applies a document to a copy of the state. If the result is not a valid state, adds the problems to the list.
    pub(crate) update: UpdateFn,
    pub(crate) stored: fn(&dyn Any) -> &dyn erased_serde::Serialize,
    pub(crate) from_stored:
        fn(&mut StoredState<'_, '_>) -> Result<SharedState, erased_serde::Error>,
    pub(crate) schema: fn(&mut SchemaGenerator) -> Schema,
    /// Returns a complete schema.
    pub(crate) json_schema: fn() -> Schema,
}

type UpdateFn =
    fn(&dyn Any, &Value, Update, &str, Layout, &mut Vec<Problem>) -> Option<SharedState>;

/// Returns the value whose type was erased.
#[inline]
pub(crate) fn of<T: 'static>(value: &dyn Any) -> &T {
    value.downcast_ref().expect(OF_T)
}

/// Returns the value whose type was erased, mutably.
#[inline]
pub(crate) fn of_mut<T: 'static>(value: &mut dyn Any) -> &mut T {
    value.downcast_mut().expect(OF_T)
}

const OF_T: &str = "functions on an erased value get a value of their type";

/// A deserializer over a stored state, in any format.
#[doc(hidden)]
pub type StoredState<'a, 'de> = dyn erased_serde::Deserializer<'de> + 'a;

#[diagnostic::do_not_recommend]
impl<T> SkillState for T
where
    T: Default + Clone + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static,
{
    const __FNS: StateFns = StateFns {
        copy: |state| of::<T>(state).clone().__share(),
        swap: |one, other| std::mem::swap(of_mut::<T>(one), of_mut(other)),
        value: |state| partial_json(of::<T>(state)),
        update: |state, document, update, at, layout, problems| {
            let new = json::update(of::<T>(state), document, update, at, layout, problems);
            new.map(T::__share)
        },
        stored: |state| of::<T>(state),
        from_stored: |stored| erased_serde::deserialize(stored).map(T::__share),
        schema: |generator| generator.subschema_for::<T>(),
        json_schema: || json::closed(json::schema_of::<T>()),
    };

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
}
