//! Type-erased mounted skills.

use crate::action::{ErasedAction, Input, Request};
use crate::bounds::{ConfigOf, Configuration, PartialJson, SharedState, StoredState};
use crate::context::{AgentEnv, CommandMeta, InstanceInfo, OwnConfig, QueuedEffects};
use crate::hooks::{HookAnswer, HookRequest, restore_if_implemented};
use crate::skill::config_fields;
use crate::{CallFailure, Context, Handled, HookError, Signal, Skill, SkillSpec};
use serde::ser::{Serialize, Serializer};
use serde_json::Value;
use skill_agent_schema::fingerprint;
use skill_agent_schema::{Problem, ReadError, StateError, Update};
use std::any::{Any, TypeId};
use std::marker::PhantomData;
use std::sync::{Arc, OnceLock};

/// A type-erased mounted skill. Only the implementation, [`TypedSkill`], knows the type.
pub(super) trait ErasedSkill: Send + Sync {
    fn spec(&self) -> &'static SkillSpec;
    /// Returns the skill's type.
    fn skill_type(&self) -> TypeId;
    fn duplicate(&self) -> Box<dyn ErasedSkill>;
    fn state(&self) -> &(dyn Any + Send + Sync);
    fn serialized(&self) -> &dyn erased_serde::Serialize;
    /// Returns the fingerprint of the state's schema.
    fn schema_fingerprint(&self) -> u64;
    /// Reads the state from a store.
    fn load(&mut self, stored: &mut StoredState<'_, '_>) -> Result<(), erased_serde::Error>;
    /// Converts a stored state of a different version and uses the result as the state. Returns `None` if the skill has no hooks.
    fn migrate(&mut self, version: &str, state: Value) -> Option<Result<(), HookError>>;
    /// Returns the state as JSON.
    fn value(&self) -> PartialJson;
    fn config(&self) -> &OwnConfig;
    /// Returns the mount options as the caller wrote them.
    fn given_options(&self) -> &Value;
    /// Sets the fields with `always` to their values in the configuration.
    fn take_config(&mut self);
    /// Returns the keys of the fields whose value differs from the configuration.
    fn kept_fields(&self) -> Vec<&'static str>;
    /// Merges a document into the state, or applies a whole state to a new instance. Changes nothing if there is a problem.
    fn update(&mut self, document: &Value, update: Update, at: &str, problems: &mut Vec<Problem>);
    /// Reads an action's arguments.
    fn read(&self, action: usize, input: Input<'_>) -> Result<ErasedAction, ReadError>;
    /// Calls an action. If it fails, the state is unchanged.
    fn call(
        &mut self,
        action: usize,
        input: Input<'_>,
        call_env: CallEnv<'_>,
        queued: &mut QueuedEffects,
    ) -> Result<String, CallFailure>;
    /// Offers a signal to the hook. If the hook returns `Ignored` or an error, its changes are dropped.
    fn handle(
        &mut self,
        signal: &Signal,
        call_env: CallEnv<'_>,
        queued: &mut QueuedEffects,
    ) -> Result<Handled, HookError>;
}

/// The calling agent's id and the command's metadata.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CallSource<'a> {
    pub(crate) id: Option<&'a str>,
    pub(crate) meta: Option<&'a Arc<CommandMeta>>,
}

/// A [`CallSource`] together with the calling agent's name.
#[derive(Clone, Copy, Debug)]
pub(super) struct CallEnv<'a> {
    agent: &'static str,
    source: CallSource<'a>,
}

impl<'a> CallSource<'a> {
    pub(super) fn call_env(self, agent: &'static str) -> CallEnv<'a> {
        CallEnv {
            agent,
            source: self,
        }
    }
}

/// A mounted skill of the type `S`.
pub(super) struct TypedSkill<S: Skill> {
    /// The state, of type `S`. Clones share it until one of them changes it.
    state: SharedState,
    options: Arc<MountOptions>,
    skill: PhantomData<fn() -> S>,
}

/// A mounted skill's configuration. It never changes, so all clones share it.
struct MountOptions {
    /// The options as the caller wrote them. These are stored instead of `config`, so that a later build can derive its own
    /// configuration from them.
    given: Value,
    config: OwnConfig,
    /// The fingerprint of the state's schema. It is cached, because every record contains it.
    schema_fingerprint: OnceLock<u64>,
}

impl MountOptions {
    fn config<S: Skill>(&self) -> &S::Config {
        let config = self.config.value.downcast_ref();
        config.expect("the configuration of a `TypedSkill<S>` is that of `S`")
    }
}

impl<S: Skill> TypedSkill<S> {
    /// Creates a skill with `options` merged into its default configuration.
    pub(super) fn mount(options: &Value) -> Result<Box<dyn ErasedSkill>, StateError> {
        Ok(Self::with(Self::configured(options)?, options.clone()))
    }

    /// Like [`mount`](Self::mount), but for options from a store. Returns `false` if this build rejects the options. The skill
    /// then has the default configuration, and keeps the options for a build that accepts them.
    pub(super) fn remount(given: Value) -> (Box<dyn ErasedSkill>, bool) {
        match Self::configured(&given) {
            Ok(config) => (Self::with(config, given), true),
            Err(_) => (Self::with(S::Config::__default(), given), false),
        }
    }

    fn with(config: S::Config, given: Value) -> Box<dyn ErasedSkill> {
        Box::new(Self {
            state: S::Config::__share_state(S::init(&config)),
            options: Arc::new(MountOptions {
                given,
                config: OwnConfig::new(config, S::SPEC.config_secrets),
                schema_fingerprint: OnceLock::new(),
            }),
            skill: PhantomData,
        })
    }

    fn configured(options: &Value) -> Result<S::Config, StateError> {
        let mut problems = Vec::new();
        let (at, layout) = (S::STATE_KEY, S::SPEC.config_layout());
        let config = S::Config::__default().__merge(options, at, layout, &mut problems);
        match (config, StateError::from_problems(problems)) {
            (Some(config), None) => Ok(config),
            (_, Some(error)) => Err(error),
            (None, None) => unreachable!("a merge that fails adds a problem"),
        }
    }

    fn get(&self) -> &S {
        self.state.downcast_ref().expect(IS_S)
    }

    fn get_mut(&mut self) -> &mut S {
        if Arc::get_mut(&mut self.state).is_none() {
            self.set(S::Config::__clone(self.get()));
        }
        let state = Arc::get_mut(&mut self.state).expect("the state was just made unique");
        state.downcast_mut().expect(IS_S)
    }

    fn own_config(&self) -> &S::Config {
        self.options.config::<S>()
    }

    fn set(&mut self, state: S) {
        self.state = S::Config::__share_state(state);
    }

    fn env(&self, call_env: CallEnv<'_>) -> AgentEnv {
        AgentEnv::of_mounted(
            call_env.agent,
            call_env.source.id,
            S::STATE_KEY,
            self.options.config.clone(),
        )
    }
}

const IS_S: &str = "the state of a `TypedSkill<S>` is an `S`";

impl<S: Skill> ErasedSkill for TypedSkill<S> {
    fn spec(&self) -> &'static SkillSpec {
        const { &S::SPEC }
    }

    fn skill_type(&self) -> TypeId {
        TypeId::of::<S>()
    }

    fn duplicate(&self) -> Box<dyn ErasedSkill> {
        Box::new(Self {
            state: Arc::clone(&self.state),
            options: Arc::clone(&self.options),
            skill: PhantomData,
        })
    }

    fn state(&self) -> &(dyn Any + Send + Sync) {
        &*self.state
    }

    fn serialized(&self) -> &dyn erased_serde::Serialize {
        self
    }

    fn schema_fingerprint(&self) -> u64 {
        let compute = || fingerprint(|generator| (S::__DATA.schema)(generator));
        *self.options.schema_fingerprint.get_or_init(compute)
    }

    fn load(&mut self, stored: &mut StoredState<'_, '_>) -> Result<(), erased_serde::Error> {
        self.set((S::__DATA.from_stored)(stored)?);
        Ok(())
    }

    fn migrate(&mut self, version: &str, state: Value) -> Option<Result<(), HookError>> {
        let restored = (S::HOOKS?.restore)(version, state);
        let restored = restored.map(|state| self.set(state));
        restore_if_implemented(restored)
    }

    fn value(&self) -> PartialJson {
        (S::__DATA.value)(self.get())
    }

    fn config(&self) -> &OwnConfig {
        &self.options.config
    }

    fn given_options(&self) -> &Value {
        &self.options.given
    }

    fn take_config(&mut self) {
        if S::__CONFIG_FIELDS.take.is_some() {
            let options = Arc::clone(&self.options);
            config_fields::take(self.get_mut(), options.config::<S>());
        }
    }

    fn kept_fields(&self) -> Vec<&'static str> {
        config_fields::kept(self.get(), self.own_config(), None)
    }

    fn update(&mut self, document: &Value, update: Update, at: &str, problems: &mut Vec<Problem>) {
        if document.is_array() {
            // serde's derive would accept an array of the fields in order
            problems.push(Problem::new(at, "expected an object"));
            return;
        }
        let layout = S::SPEC.state_layout();
        let apply = S::__DATA.update;
        let state = match update {
            Update::Merge | Update::Patch => {
                apply(self.get(), document, update, at, layout, problems)
            }
            Update::Replace => {
                let new = S::init(self.own_config());
                apply(&new, document, update, at, layout, problems)
            }
        };
        if let Some(state) = state {
            self.set(state);
        }
    }

    fn read(&self, action: usize, input: Input<'_>) -> Result<ErasedAction, ReadError> {
        (S::ACTIONS[action].read)(input)
    }

    fn call(
        &mut self,
        action: usize,
        input: Input<'_>,
        call_env: CallEnv<'_>,
        queued: &mut QueuedEffects,
    ) -> Result<String, CallFailure> {
        let entry = &S::ACTIONS[action];
        let env = if entry.takes_context {
            self.env(call_env)
        } else {
            AgentEnv::default()
        };
        let request = Request {
            input,
            meta: call_env.source.meta,
            save: true,
        };
        let instance = const { &InstanceInfo::mounted::<S>() };
        (entry.perform)(self.get_mut(), instance, &env, request, queued)
    }

    fn handle(
        &mut self,
        signal: &Signal,
        call_env: CallEnv<'_>,
        queued: &mut QueuedEffects,
    ) -> Result<Handled, HookError> {
        let Some(hooks) = S::HOOKS else {
            return Ok(Handled::Ignored);
        };
        let instance = const { &InstanceInfo::mounted::<S>() };
        let mut cx = Context::new(instance, &self.env(call_env), call_env.source.meta);
        let mut copy = S::Config::__clone(self.get());
        match (hooks.call)(&mut copy, HookRequest::Handle(signal), &mut cx)? {
            HookAnswer::Handled(Handled::Done) => {
                self.set(copy);
                cx.queue_into(queued);
                Ok(Handled::Done)
            }
            _ => Ok(Handled::Ignored),
        }
    }
}

impl<S: Skill> Serialize for TypedSkill<S> {
    fn serialize<T: Serializer>(&self, serializer: T) -> Result<T::Ok, T::Error> {
        S::Config::__serialize_state(self.get(), serializer)
    }
}
