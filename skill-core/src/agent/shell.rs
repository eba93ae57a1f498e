//! What an agent holds beside its state: its id, and configurations it was given at run time.

use super::skill_of::key_of;
use crate::context::{ConfigRef, Place};
use crate::{Agent, Context, SkillOf};
use serde_json::Value;
use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, OnceLock};

/// The part of an agent that commands do not change.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shell {
    id: Option<Arc<str>>,
    /// By state key; `None` while every configuration is the declared one, as mostly.
    configs: Option<Arc<BTreeMap<&'static str, OwnConfig>>>,
}

impl Shell {
    pub(crate) fn id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    pub(crate) fn set_id(&mut self, id: String) {
        self.id = Some(id.into());
    }

    pub(crate) fn own_config(&self, key: &str) -> Option<&OwnConfig> {
        self.configs.as_ref()?.get(key)
    }

    pub(crate) fn set_config(&mut self, key: &'static str, config: OwnConfig) {
        let configs = self.configs.get_or_insert_default();
        Arc::make_mut(configs).insert(key, config);
    }

    /// The configuration of an instance: its own, or the declared one.
    pub(crate) fn config<G: Agent, S: SkillOf<G, AT>, const AT: usize>(&self) -> &S::Config {
        let own = self.own_config(key_of::<G, S, AT>());
        match own.and_then(|own| own.value.downcast_ref()) {
            Some(config) => config,
            None => S::declared(),
        }
    }

    /// A context for an action of an instance. Allocates nothing; clones an `Arc` where there is one.
    #[inline]
    pub(crate) fn context<G: Agent, S: SkillOf<G, AT>, const AT: usize>(&self) -> Context<S> {
        let config = match &self.configs {
            None => ConfigRef::Declared(|| S::declared()),
            Some(_) => self.config_ref::<G, S, AT>(),
        };
        let place = Place {
            agent_name: G::SPEC.name,
            instance: match S::ALIAS {
                Some(alias) => alias,
                None => S::NAME,
            },
            aliased: S::ALIAS.is_some(),
        };
        Context::new(config, place, self.id.clone())
    }

    #[cold]
    fn config_ref<G: Agent, S: SkillOf<G, AT>, const AT: usize>(&self) -> ConfigRef {
        match self.own_config(key_of::<G, S, AT>()) {
            Some(own) => ConfigRef::Own(Arc::clone(&own.value)),
            None => ConfigRef::Declared(|| S::declared()),
        }
    }
}

/// A configuration that an agent was given at run time. Its JSON stands for it where agents are compared or shown: a
/// configuration need not be `Debug` or `PartialEq`.
#[derive(Clone)]
pub(crate) struct OwnConfig {
    pub(crate) value: Arc<dyn Any + Send + Sync>,
    pub(crate) json: Value,
}

impl fmt::Debug for OwnConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.json.fmt(f)
    }
}

impl PartialEq for OwnConfig {
    fn eq(&self, other: &Self) -> bool {
        self.json == other.json
    }
}

impl Eq for OwnConfig {}

impl Hash for OwnConfig {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.json.hash(state);
    }
}

/// A declared configuration, made at first use. One `static` for each instance of a skill.
#[derive(Default)]
pub struct ConfigCell(OnceLock<Box<dyn Any + Send + Sync>>);

impl ConfigCell {
    /// An empty cell.
    pub const fn new() -> Self {
        Self(OnceLock::new())
    }

    pub(crate) fn get<C: Any + Send + Sync>(&'static self, make: impl FnOnce() -> C) -> &'static C {
        self.0
            .get_or_init(|| Box::new(make()))
            .downcast_ref()
            .expect("a cell belongs to one instance, which has one type of configuration")
    }
}

impl fmt::Debug for ConfigCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConfigCell").finish_non_exhaustive()
    }
}
