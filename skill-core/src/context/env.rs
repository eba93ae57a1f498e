//! The parts of an agent outside its state: its id, and configurations set at run time.

use crate::bounds::{ConfigFns, Configuration, SharedState};
use serde_json::Value;
use skill_agent_schema as json;
use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// The part of an agent that commands do not change. It is usually empty, and then takes up only a null pointer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct AgentEnv(Option<Arc<Inner>>);

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Inner {
    id: Option<String>,
    /// The agent's name. Set only for mounted skills, because their instance info does not contain it.
    agent: Option<&'static str>,
    /// Configurations by state key.
    configs: BTreeMap<&'static str, OwnConfig>,
}

impl AgentEnv {
    /// Creates the environment of an agent with an id.
    pub(crate) fn with_id(id: String) -> Self {
        let mut env = Self::default();
        env.set_id(id);
        env
    }

    /// Creates a mounted skill's environment, with only its own configuration.
    pub(crate) fn of_mounted(
        agent: &'static str,
        id: Option<&str>,
        key: &'static str,
        config: OwnConfig,
    ) -> Self {
        Self(Some(Arc::new(Inner {
            id: id.map(str::to_owned),
            agent: Some(agent),
            configs: BTreeMap::from([(key, config)]),
        })))
    }

    pub(crate) fn agent(&self) -> Option<&'static str> {
        self.0.as_ref()?.agent
    }

    pub(crate) fn id(&self) -> Option<&str> {
        self.0.as_ref()?.id.as_deref()
    }

    pub(crate) fn set_id(&mut self, id: String) {
        self.inner_mut().id = Some(id);
    }

    #[inline]
    pub(crate) fn own_config(&self, key: &str) -> Option<&OwnConfig> {
        self.0.as_ref()?.configs.get(key)
    }

    pub(crate) fn set_config(&mut self, key: &'static str, config: OwnConfig) {
        self.inner_mut().configs.insert(key, config);
    }

    fn inner_mut(&mut self) -> &mut Inner {
        Arc::make_mut(self.0.get_or_insert_default())
    }
}

/// A configuration set at run time. It is compared and displayed as JSON, because a configuration need not implement `Debug` or
/// `PartialEq`.
#[derive(Clone)]
pub(crate) struct OwnConfig {
    pub(crate) value: SharedState,
    /// The configuration as JSON. Shared like the value, because agents are cloned more often than they are configured.
    pub(crate) json: Arc<Value>,
    /// Whether JSON can represent the whole configuration.
    is_complete: bool,
    /// The paths of the secrets.
    secrets: &'static [&'static str],
}

impl OwnConfig {
    /// Wraps a configuration together with the paths of its secrets.
    pub(crate) fn new<C: Configuration>(config: C, secrets: &'static [&'static str]) -> Self {
        Self::erased(const { &C::__FNS }, Arc::new(config), secrets)
    }

    /// Like [`new`](Self::new), for a configuration whose type was erased.
    pub(crate) fn erased(
        fns: &ConfigFns,
        value: SharedState,
        secrets: &'static [&'static str],
    ) -> Self {
        let (json, unwritable) = (fns.value)(&*value);
        Self {
            json: Arc::new(json),
            is_complete: unwritable.is_none(),
            secrets,
            value,
        }
    }
}

impl fmt::Debug for OwnConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut json = (*self.json).clone();
        json::mask(&mut json, &[], self.secrets);
        json.fmt(f)
    }
}

impl PartialEq for OwnConfig {
    fn eq(&self, other: &Self) -> bool {
        // a configuration that JSON cannot represent is equal only to itself
        Arc::ptr_eq(&self.value, &other.value)
            || (self.is_complete && other.is_complete && self.json == other.json)
    }
}

impl Eq for OwnConfig {}

impl Hash for OwnConfig {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.json.hash(state);
    }
}

/// A declared configuration, created at first use. Each instance has a `static` of this type.
#[derive(Default)]
pub struct ConfigCell(OnceLock<Box<dyn Any + Send + Sync>>);

impl ConfigCell {
    /// Creates an empty cell.
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    pub(crate) fn get<C: Any + Send + Sync>(&'static self, make: impl FnOnce() -> C) -> &'static C {
        self.0
            .get_or_init(|| Box::new(make()))
            .downcast_ref()
            .expect("each cell belongs to one instance, which has one configuration type")
    }
}

impl fmt::Debug for ConfigCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConfigCell").finish_non_exhaustive()
    }
}
