//! A skill's configuration, and operations on the skill's state through the configuration type.

use super::state::{PartialJson, SharedState, SkillState, StateFns, StoredState, of, partial_json};
use schemars::{JsonSchema, Schema};
use serde::de::DeserializeOwned;
use serde::ser::{Serialize, Serializer};
use serde_json::Value;
use skill_agent_schema::{self as json, Layout, Problem, Update};
use std::any::Any;
use std::sync::Arc;

/// A skill's configuration: `Default + Clone + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static`.
///
/// Implemented for every such type. Do not implement it yourself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the configuration of a skill: it lacks one or more derives",
    label = "a derive is missing on `{Self}`",
    note = "a configuration needs all of `#[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]` on `{Self}`, and to be `Send + Sync`",
    note = "`Serialize` and `Deserialize` come from serde 1, and `JsonSchema` from schemars 1"
)]
pub trait Configuration: Sized + Send + Sync + 'static {
    #[doc(hidden)]
    const __FNS: ConfigFns;
    #[doc(hidden)]
    fn __default() -> Self;
    #[doc(hidden)]
    fn __stored_config(&self) -> &dyn erased_serde::Serialize;
    #[doc(hidden)]
    fn __config_from_stored(stored: &mut StoredState<'_, '_>) -> Result<Self, erased_serde::Error>;
}

/// Operations on a configuration of one type, which is erased.
#[doc(hidden)]
#[expect(
    missing_debug_implementations,
    reason = "it holds only function pointers"
)]
pub struct ConfigFns {
    pub(crate) default: fn() -> SharedState,
    pub(crate) value: fn(&dyn Any) -> PartialJson,
    /// Merges a document into a copy of the configuration, or adds the problems to the list.
    pub(crate) merge: MergeFn,
    pub(crate) json_schema: fn() -> Schema,
}

type MergeFn = fn(&dyn Any, &Value, &str, Layout, &mut Vec<Problem>) -> Option<SharedState>;

#[diagnostic::do_not_recommend]
impl<T> Configuration for T
where
    T: Default + Clone + Serialize + DeserializeOwned + JsonSchema + Send + Sync + 'static,
{
    const __FNS: ConfigFns = ConfigFns {
        default: || Arc::new(T::default()),
        value: |config| partial_json(of::<T>(config)),
        merge: |config, patch, at, layout, problems| {
            let update = Update::Merge;
            let merged = json::update(of::<T>(config), patch, update, at, layout, problems);
            merged.map(|config| Arc::new(config) as SharedState)
        },
        json_schema: || json::closed(json::schema_of::<T>()),
    };

    fn __default() -> Self {
        Self::default()
    }
    fn __stored_config(&self) -> &dyn erased_serde::Serialize {
        self
    }
    fn __config_from_stored(stored: &mut StoredState<'_, '_>) -> Result<Self, erased_serde::Error> {
        erased_serde::deserialize(stored)
    }
}

/// The configuration of the skill `S`, with type-erasable operations on the skill's state.
///
/// Implemented for every [`Configuration`] if `S` is a [`SkillState`], so that rustc names the missing trait. Do not implement it
/// yourself.
pub trait ConfigOf<S>: Configuration {
    #[doc(hidden)]
    const __STATE: StateFns;
    #[doc(hidden)]
    fn __default_state() -> S;
    #[doc(hidden)]
    fn __clone(state: &S) -> S;
    #[doc(hidden)]
    fn __share(state: S) -> SharedState;
    #[doc(hidden)]
    fn __serialize_state<T: Serializer>(state: &S, serializer: T) -> Result<T::Ok, T::Error>;
}

impl<S: SkillState, C: Configuration> ConfigOf<S> for C {
    const __STATE: StateFns = S::__FNS;

    fn __default_state() -> S {
        S::__default()
    }
    #[inline]
    fn __clone(state: &S) -> S {
        state.__clone()
    }
    fn __share(state: S) -> SharedState {
        state.__share()
    }
    fn __serialize_state<T: Serializer>(state: &S, serializer: T) -> Result<T::Ok, T::Error> {
        state.__serialize(serializer)
    }
}
