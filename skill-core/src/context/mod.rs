//! An action's context: what it can read besides its arguments, and the effects that it queues.

mod async_context;
mod effects;
mod env;
mod hook;
mod host;
mod instance;
mod meta;
mod mount_op;
mod queue;

use async_context::AsyncState;
pub use effects::QueuedEffects;
pub(crate) use env::OwnConfig;
pub use env::{AgentEnv, ConfigCell};
pub(crate) use hook::Hook;
pub use host::ActionHost;
pub(crate) use instance::InstanceInfo;
pub use meta::{CommandMeta, Stamp};
pub use mount_op::{MountOp, QueuedMount};

use crate::bounds::of;
use crate::{ActionOf, Directive, Instruction, PureAction, Signal, Skill};
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::SystemTime;

/// The context of an action of the skill `S`: its configuration, its names, the signal that caused it, and its queued effects. An
/// action takes its context as the second parameter, `cx: &mut Context<S>`.
///
/// A context has no lifetime parameter, because async actions take one too. It gives no access to other skills.
pub struct Context<S> {
    pub(crate) instance: &'static InstanceInfo,
    env: AgentEnv,
    /// The command's metadata, behind a pointer because few commands have any and contexts must be cheap to create and drop.
    meta: Option<Arc<CommandMeta>>,
    pub(crate) queued: QueuedEffects,
    /// The additional state of an async action. `None` in a pure action.
    pub(crate) async_state: Option<Box<AsyncState>>,
    /// The last hook that ran as its default implementation, which changes nothing.
    pub(crate) default_hook: Option<Hook>,
    skill: PhantomData<fn() -> S>,
}

// not derived: the derive would require `S: Debug`
impl<S> fmt::Debug for Context<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("instance", self.instance)
            .field("env", &self.env)
            .field("meta", &self.meta)
            .field("queued", &self.queued)
            .field("async_state", &self.async_state)
            .finish()
    }
}

/// The parts from which a context is created.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContextParts<'a> {
    pub(crate) instance: &'static InstanceInfo,
    pub(crate) env: &'a AgentEnv,
    pub(crate) meta: Option<&'a Arc<CommandMeta>>,
}

impl<S: Skill> Context<S> {
    /// Creates a context without allocating. If there is metadata, or if the agent has an id or configurations set at run time,
    /// an `Arc` is cloned.
    #[inline]
    pub(crate) fn new(parts: ContextParts<'_>) -> Self {
        let mut cx = Self::with_env(parts.instance, parts.env.clone());
        cx.meta = parts.meta.cloned();
        cx
    }

    /// Creates an action's context. If the action takes none, the context consists of constants, so the optimizer removes it.
    #[inline(always)]
    pub(crate) fn for_action(is_taken: bool, parts: ContextParts<'_>) -> Self {
        if is_taken {
            Self::new(parts)
        } else {
            Self::unused()
        }
    }

    /// Creates a context that no action takes.
    #[inline(always)]
    pub(crate) fn unused() -> Self {
        Self::with_env(
            const { &InstanceInfo::outside_agent::<S>() },
            AgentEnv::default(),
        )
    }

    #[inline(always)]
    fn with_env(instance: &'static InstanceInfo, env: AgentEnv) -> Self {
        Self {
            instance,
            env,
            meta: None,
            queued: QueuedEffects::default(),
            async_state: None,
            default_hook: None,
            skill: PhantomData,
        }
    }

    /// Creates a context for testing an action or hook outside any agent. An action queued with [`then`](Self::then) appears
    /// among the directives as a [`Directive::Run`].
    pub fn for_test(config: S::Config) -> Self {
        let mut env = AgentEnv::default();
        env.set_config(S::STATE_KEY, OwnConfig::new(config, S::SPEC.config_secrets));
        Self::with_env(const { &InstanceInfo::outside_agent::<S>() }, env)
    }

    fn meta(&mut self) -> &mut CommandMeta {
        Arc::make_mut(self.meta.get_or_insert_default())
    }

    /// Sets the signal that caused the call.
    #[must_use]
    pub fn with_signal(mut self, signal: Signal) -> Self {
        self.meta().signal = Some(signal);
        self
    }

    /// Sets the reply address.
    #[must_use]
    pub fn with_reply_to(mut self, address: impl Into<String>) -> Self {
        self.meta().reply_to = Some(address.into());
        self
    }

    /// Sets the stamp.
    #[must_use]
    pub fn with_stamp(mut self, stamp: Stamp) -> Self {
        self.meta().stamp = Some(stamp);
        self
    }

    /// Returns the instance's configuration.
    pub fn config(&self) -> &S::Config {
        of(self.instance.config(&self.env))
    }

    /// Returns the agent's name.
    pub fn agent_name(&self) -> &'static str {
        self.env.agent().unwrap_or(self.instance.agent_name)
    }

    /// Returns the agent's id.
    pub fn agent_id(&self) -> Option<&str> {
        self.env.id()
    }

    /// Returns the instance's name: `calc` for `Calculator as calc`.
    pub fn skill(&self) -> &'static str {
        self.instance.name
    }

    /// Returns the signal that caused this command.
    pub fn signal(&self) -> Option<&Signal> {
        self.meta.as_ref()?.signal.as_ref()
    }

    /// Returns the reply address.
    pub fn reply_to(&self) -> Option<&str> {
        self.meta.as_ref()?.reply_to.as_deref()
    }

    /// Returns the idempotency key that the caller gave this call, to pass on to other systems.
    pub fn idempotency_key(&self) -> Option<&str> {
        self.meta.as_ref()?.idempotency_key.as_deref()
    }

    /// Returns the command's time, or `None` if it has no stamp.
    pub fn now(&self) -> Option<SystemTime> {
        self.stamp().map(|stamp| stamp.now)
    }

    /// Returns the command's id, or `None` if it has no stamp.
    pub fn id(&self) -> Option<&str> {
        self.stamp().map(|stamp| stamp.id.as_str())
    }

    /// Returns the queued directives, in order.
    pub fn directives(&self) -> &[Directive] {
        &self.queued.directives
    }

    /// Consumes the context and returns the queued directives.
    #[inline]
    pub fn into_directives(self) -> Vec<Directive> {
        self.queued.directives
    }

    #[inline(always)]
    pub(crate) fn into_queued(self) -> QueuedEffects {
        self.queued
    }

    /// Appends the queued effects to `queued`.
    #[inline]
    pub(crate) fn queue_into(self, queued: &mut QueuedEffects) {
        queued.append(self.queued);
    }

    fn stamp(&self) -> Option<&Stamp> {
        self.meta.as_ref()?.stamp.as_ref()
    }

    // in this module because rustc errors show the path of the impl, so it must match the path of the type
    /// Queues a pure action of the skill to run when this async action has finished, before its answer is returned. All queued
    /// actions run in one transaction. If one fails, or if JSON cannot represent its arguments, the async action fails.
    ///
    /// In a pure action this works like [`run`](Self::run), and arguments that JSON cannot represent become a
    /// [`Directive::Error`].
    pub fn then<A: PureAction + ActionOf<S>>(&mut self, action: A) {
        let mut instruction = match Instruction::of(&action) {
            Ok(instruction) => instruction,
            Err(error) => return self.record_unwritable(A::NAME, error),
        };
        match &self.async_state {
            None => self.run(instruction),
            Some(_) => {
                self.instance.rename_instruction::<S>(&mut instruction);
                self.queued.push_then(instruction);
            }
        }
    }
}
