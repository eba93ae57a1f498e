//! A mounted skill.

use crate::action::{ErasedAction, Input, Request, Undo};
use crate::bounds::{PartialJson, SharedState, StoredState};
use crate::context::{AgentEnv, CommandMeta, ContextParts, OwnConfig, QueuedEffects};
use crate::hooks::{HookAnswer, HookRequest, TurnContext, restore_if_implemented};
use crate::skill::SkillVtable;
use crate::{CallFailure, Handled, HookError, Signal, SkillSpec};
use serde_json::Value;
use skill_agent_schema::fingerprint;
use skill_agent_schema::{Problem, ReadError, StateError, Update};
use std::any::{Any, TypeId};
use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

/// The calling agent's id and the command's metadata.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CallSource<'a> {
    pub(crate) id: Option<&'a str>,
    pub(crate) meta: Option<&'a Arc<CommandMeta>>,
}

/// A mounted skill.
#[derive(Clone)]
pub(super) struct MountedSkill {
    skill: &'static SkillVtable,
    /// The state. Clones share it until one of them changes it.
    state: SharedState,
    options: Arc<MountOptions>,
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

impl MountedSkill {
    /// Creates a skill with `options` merged into its default configuration.
    pub(super) fn mount(skill: &'static SkillVtable, options: &Value) -> Result<Self, StateError> {
        let (spec, default) = ((skill.spec)(), (skill.config.default)());
        let (at, layout, mut problems) = (spec.state_key, spec.config_layout(), Vec::new());
        let config = (skill.config.merge)(&*default, options, at, layout, &mut problems);
        match (config, StateError::from_problems(problems)) {
            (Some(config), None) => Ok(Self::with(skill, config, options.clone())),
            (_, Some(error)) => Err(error),
            (None, None) => unreachable!("a merge that fails adds a problem"),
        }
    }

    /// Like [`mount`](Self::mount), but for options from a store. Returns `false` if this build rejects the options. The skill
    /// then has the default configuration, and keeps the options for a build that accepts them.
    pub(super) fn remount(skill: &'static SkillVtable, given: Value) -> (Self, bool) {
        match Self::mount(skill, &given) {
            Ok(mounted) => (mounted, true),
            Err(_) => (Self::with(skill, (skill.config.default)(), given), false),
        }
    }

    fn with(skill: &'static SkillVtable, config: SharedState, given: Value) -> Self {
        Self {
            skill,
            state: (skill.init)(&*config),
            options: Arc::new(MountOptions {
                given,
                config: OwnConfig::erased(skill.config, config, (skill.spec)().config_secrets),
                schema_fingerprint: OnceLock::new(),
            }),
        }
    }

    pub(super) fn spec(&self) -> &'static SkillSpec {
        (self.skill.spec)()
    }

    /// Returns the skill's type.
    pub(super) fn skill_type(&self) -> TypeId {
        (self.skill.skill_type)()
    }

    pub(super) fn state(&self) -> &(dyn Any + Send + Sync) {
        &*self.state
    }

    /// Returns the state, mutably. Copies it if it is shared.
    fn state_mut(&mut self) -> &mut dyn Any {
        if Arc::get_mut(&mut self.state).is_none() {
            self.state = (self.skill.state.copy)(&*self.state);
        }
        Arc::get_mut(&mut self.state).expect("the state was just made unique")
    }

    pub(super) fn serialized(&self) -> &dyn erased_serde::Serialize {
        (self.skill.state.stored)(&*self.state)
    }

    /// Returns the fingerprint of the state's schema.
    pub(super) fn schema_fingerprint(&self) -> u64 {
        let compute = || fingerprint(self.skill.state.schema);
        *self.options.schema_fingerprint.get_or_init(compute)
    }

    /// Reads the state from a store.
    pub(super) fn load(
        &mut self,
        stored: &mut StoredState<'_, '_>,
    ) -> Result<(), erased_serde::Error> {
        self.state = (self.skill.state.from_stored)(stored)?;
        Ok(())
    }

    /// Converts a stored state of a different version and uses the result as the state. Returns `None` if the skill has no hooks.
    pub(super) fn migrate(&mut self, version: &str, state: Value) -> Option<Result<(), HookError>> {
        let restored = (self.skill.hooks.as_ref()?.restore)(version, state);
        restore_if_implemented(restored.map(|state| self.state = state))
    }

    /// Returns the state as JSON.
    pub(super) fn value(&self) -> PartialJson {
        (self.skill.state.value)(&*self.state)
    }

    pub(super) fn config(&self) -> &OwnConfig {
        &self.options.config
    }

    /// Returns the mount options as the caller wrote them.
    pub(super) fn given_options(&self) -> &Value {
        &self.options.given
    }

    /// Sets the fields with `always` to their values in the configuration.
    pub(super) fn take_config(&mut self) {
        if self.skill.take_fields.is_some() {
            let (skill, options) = (self.skill, Arc::clone(&self.options));
            skill.take_config(self.state_mut(), &*options.config.value);
        }
    }

    /// Returns the keys of the fields whose value differs from the configuration.
    pub(super) fn kept_fields(&self) -> Vec<&'static str> {
        let config = &*self.options.config.value;
        self.skill.kept_fields(&*self.state, config, None)
    }

    /// Merges a document into the state, or applies a whole state to a new instance. Changes nothing if there is a problem.
    pub(super) fn update(
        &mut self,
        document: &Value,
        update: Update,
        at: &str,
        problems: &mut Vec<Problem>,
    ) {
        if document.is_array() {
            // serde's derive would accept an array of the fields in order
            problems.push(Problem::new(at, "expected an object"));
            return;
        }
        let base = match update {
            Update::Merge | Update::Patch => Arc::clone(&self.state),
            Update::Replace => (self.skill.init)(&*self.options.config.value),
        };
        let layout = self.spec().state_layout();
        let apply = self.skill.state.update;
        if let Some(state) = apply(&*base, document, update, at, layout, problems) {
            self.state = state;
        }
    }

    /// Reads an action's arguments.
    pub(super) fn read(&self, action: usize, input: Input<'_>) -> Result<ErasedAction, ReadError> {
        (self.skill.read)(action, input)
    }

    /// Checks an action's condition.
    pub(super) fn check_condition(&self, action: usize) -> Result<(), Cow<'static, str>> {
        (self.skill.when)(&*self.state, action)
    }

    /// Calls an action.
    pub(super) fn call(
        &mut self,
        action: usize,
        input: Input<'_>,
        (agent, source): (&'static str, CallSource<'_>),
        undo: Undo,
        queued: &mut QueuedEffects,
    ) -> Result<String, CallFailure> {
        let skill = self.skill;
        let env = if (skill.takes_context)(action) {
            self.env(agent, source)
        } else {
            AgentEnv::default()
        };
        let cx = &self.parts(&env, source);
        let mut request = Request { cx, input, undo };
        (skill.call)(self.state_mut(), action, &mut request, queued)
    }

    /// Offers a signal to the hook. If the hook returns `Ignored` or an error, its changes are dropped.
    pub(super) fn handle(
        &mut self,
        signal: &Signal,
        (agent, source): (&'static str, CallSource<'_>),
        queued: &mut QueuedEffects,
    ) -> Result<Handled, HookError> {
        let Some(hooks) = &self.skill.hooks else {
            return Ok(Handled::Ignored);
        };
        let env = self.env(agent, source);
        let (cx, request) = (self.parts(&env, source), HookRequest::Handle(signal));
        let (answer, new) = (hooks.call)(&*self.state, cx, request, queued)?;
        if let Some(new) = new {
            self.state = new;
        }
        match answer {
            HookAnswer::Handled(handled) => Ok(handled),
            other => unreachable!("a signal is handled, not {other:?}"),
        }
    }

    /// Returns the text from `Hooks::turn_context`.
    pub(super) fn turn_context(
        &self,
        (agent, source): (&'static str, CallSource<'_>),
    ) -> Option<TurnContext> {
        let hooks = self.skill.hooks.as_ref()?;
        let env = self.env(agent, source);
        let parts = self.parts(&env, source);
        TurnContext::of(self.spec().name, || {
            (hooks.turn_context)(&*self.state, parts)
        })
    }

    fn parts<'a>(&self, env: &'a AgentEnv, source: CallSource<'a>) -> ContextParts<'a> {
        ContextParts {
            instance: (self.skill.mounted)(),
            env,
            meta: source.meta,
        }
    }

    fn env(&self, agent: &'static str, source: CallSource<'_>) -> AgentEnv {
        let config = self.options.config.clone();
        AgentEnv::of_mounted(agent, source.id, self.spec().state_key, config)
    }
}
