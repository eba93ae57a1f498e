//! What an action is told beside its arguments, and where it queues what is to be done.

mod async_context;
mod effects;
mod env;
mod hook;
mod host;
mod instance;
mod meta;
mod queue;

use async_context::AsyncState;
pub(crate) use effects::MountOp;
pub use effects::{QueuedEffects, QueuedMount};
pub(crate) use env::OwnConfig;
pub use env::{AgentEnv, ConfigCell};
pub(crate) use hook::Hook;
pub use host::ActionHost;
pub(crate) use instance::InstanceInfo;
pub use meta::{CommandMeta, Stamp};

use crate::{ActionOf, Directive, Instruction, PureAction, Signal, Skill};
use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::SystemTime;

/// The surroundings of an action of the skill `S`: its configuration, its names, the signal that led to it, and the
/// queue of its directives. An action asks for it as a second parameter `cx: &mut Context<S>`.
///
/// It has no lifetime, so that `async fn` can take it; and it holds nothing of other skills.
pub struct Context<S> {
    pub(crate) instance: &'static InstanceInfo,
    env: AgentEnv,
    /// What few commands have; apart, so that a context is made and dropped in no time.
    meta: Option<Arc<CommandMeta>>,
    pub(crate) queued: QueuedEffects,
    /// What an async action has beside.
    pub(crate) async_state: Option<Box<AsyncState>>,
    /// Which default of a hook ran last: it changed nothing.
    pub(crate) default_hook: Option<Hook>,
    skill: PhantomData<fn() -> S>,
}

// by hand: a derive would ask it of the skill too
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

impl<S: Skill> Context<S> {
    /// Allocates nothing; clones an `Arc` where there is an occasion, and where the agent has an id or configurations of its
    /// own.
    #[inline]
    pub(crate) fn new(
        instance: &'static InstanceInfo,
        env: &AgentEnv,
        meta: Option<&Arc<CommandMeta>>,
    ) -> Self {
        let mut cx = Self::with_env(instance, env.clone());
        cx.meta = meta.cloned();
        cx
    }

    /// For an action that does not ask for one: constants only, so that nothing of it is left in the program.
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

    /// A context for a test of an action or hook, outside any agent. What an async action queues by [`then`](Self::then) is
    /// there among the directives, as a [`Directive::Run`].
    pub fn for_test(config: S::Config) -> Self {
        let mut env = AgentEnv::default();
        env.set_config(S::STATE_KEY, OwnConfig::new(config));
        Self::with_env(const { &InstanceInfo::outside_agent::<S>() }, env)
    }

    fn meta(&mut self) -> &mut CommandMeta {
        Arc::make_mut(self.meta.get_or_insert_default())
    }

    /// The same with a signal, as if it had led to the call.
    #[must_use]
    pub fn with_signal(mut self, signal: Signal) -> Self {
        self.meta().signal = Some(signal);
        self
    }

    /// The same with an address to reply to.
    #[must_use]
    pub fn with_reply_to(mut self, address: impl Into<String>) -> Self {
        self.meta().reply_to = Some(address.into());
        self
    }

    /// The same with a time and an id.
    #[must_use]
    pub fn with_stamp(mut self, stamp: Stamp) -> Self {
        self.meta().stamp = Some(stamp);
        self
    }

    /// The configuration of this instance.
    pub fn config(&self) -> &S::Config {
        let config: &dyn Any = match self.env.own_config(self.instance.key) {
            Some(own) => &*own.value,
            None => (self.instance.declared)(),
        };
        config
            .downcast_ref()
            .expect("both makers of a context take the configuration of `S`")
    }

    /// The name of the agent.
    pub fn agent_name(&self) -> &'static str {
        self.env.agent().unwrap_or(self.instance.agent_name)
    }

    /// The id of the agent, where it was given one.
    pub fn agent_id(&self) -> Option<&str> {
        self.env.id()
    }

    /// The name of this instance of the skill: `calc` for `Calculator as calc`.
    pub fn skill(&self) -> &'static str {
        self.instance.name
    }

    /// The signal that led here.
    pub fn signal(&self) -> Option<&Signal> {
        self.meta.as_ref()?.signal.as_ref()
    }

    /// Where a reply goes.
    pub fn reply_to(&self) -> Option<&str> {
        self.meta.as_ref()?.reply_to.as_deref()
    }

    /// The time of the command; `None` where nobody stamped it.
    pub fn now(&self) -> Option<SystemTime> {
        self.stamp().map(|stamp| stamp.now)
    }

    /// The id of the command; `None` where nobody stamped it.
    pub fn id(&self) -> Option<&str> {
        self.stamp().map(|stamp| stamp.id.as_str())
    }

    /// What was queued, in order.
    pub fn directives(&self) -> &[Directive] {
        &self.queued.directives
    }

    /// Takes what was queued.
    #[inline]
    pub fn into_directives(self) -> Vec<Directive> {
        self.queued.directives
    }

    #[inline(always)]
    pub(crate) fn into_queued(self) -> QueuedEffects {
        self.queued
    }

    /// Appends what was queued to `queued`.
    #[inline]
    pub(crate) fn queue_into(self, queued: &mut QueuedEffects) {
        queued.append(self.queued);
    }

    fn stamp(&self) -> Option<&Stamp> {
        self.meta.as_ref()?.stamp.as_ref()
    }

    // here and not beside the other queues: rustc shows the path of the impl, which is the type's in its own module
    /// Queues an action of the skill to be run after an async one, as one run with all others and before the answer is
    /// given: if it fails, the async action fails. So does an async action that queues what JSON cannot hold.
    ///
    /// In a pure action this is [`run`](Self::run); what JSON cannot hold becomes a [`Directive::Error`].
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
