//! What an action is told beside its arguments, and where it queues what is to be done.

use crate::agent::{OwnConfig, Shell};
use crate::directive::{Effect, Origin, Reply, Schedule};
use crate::{Directive, Instruction, Signal, Skill};
use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::time::{Duration, SystemTime};

/// The surroundings of an action of the skill `S`: its configuration, its names, the signal that led to it, and the
/// queue of its directives. An action asks for it as a second parameter `cx: &mut Context<S>`.
///
/// It has no lifetime, so that `async fn` can take it; and it holds nothing of other skills.
pub struct Context<S> {
    place: &'static Place,
    shell: Shell,
    /// What few commands have; apart, so that a context is made and dropped in no time.
    occasion: Option<Box<Occasion>>,
    directives: Vec<Directive>,
    skill: PhantomData<fn() -> S>,
}

/// What led to a command, where something did.
#[derive(Debug, Default)]
struct Occasion {
    signal: Option<Signal>,
    reply_to: Option<String>,
    stamp: Option<Stamp>,
}

/// What pure code cannot know by itself: given from outside and recorded, so that a replay sees the same.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stamp {
    /// The time of the command.
    pub now: SystemTime,
    /// The id of the command.
    pub id: String,
}

impl Stamp {
    /// A stamp with a time and an id.
    pub fn new(now: SystemTime, id: impl Into<String>) -> Self {
        Self { now, id: id.into() }
    }
}

/// Which instance of which agent an action runs in; one constant per instance.
#[derive(Debug)]
pub(crate) struct Place {
    pub agent_name: &'static str,
    /// The name of the instance: the alias, or the name of the skill.
    pub instance: &'static str,
    pub aliased: bool,
    /// The key of its state, under which an agent keeps a configuration of its own.
    pub key: &'static str,
    /// The configuration that holds where the agent has none of its own.
    pub declared: fn() -> &'static (dyn Any + Send + Sync),
}

impl Place {
    /// Outside any agent.
    const fn nowhere<S: Skill>() -> Self {
        Self {
            agent_name: "test",
            instance: S::NAME,
            aliased: false,
            key: S::STATE_KEY,
            declared: || &(),
        }
    }
}

// by hand: a derive would ask it of the skill too
impl<S> fmt::Debug for Context<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("place", self.place)
            .field("shell", &self.shell)
            .field("occasion", &self.occasion)
            .field("directives", &self.directives)
            .finish()
    }
}

impl<S: Skill> Context<S> {
    /// Allocates nothing where there is no stamp; clones an `Arc` where the agent has an id or configurations of its own.
    #[inline]
    pub(crate) fn new(place: &'static Place, shell: &Shell, stamp: Option<&Stamp>) -> Self {
        let mut cx = Self::bare(place, shell.clone());
        if let Some(stamp) = stamp {
            cx.occasion().stamp = Some(stamp.clone());
        }
        cx
    }

    /// For an action that does not ask for one: constants only, so that nothing of it is left in the program.
    #[inline(always)]
    pub(crate) fn unasked() -> Self {
        Self::bare(const { &Place::nowhere::<S>() }, Shell::default())
    }

    #[inline(always)]
    fn bare(place: &'static Place, shell: Shell) -> Self {
        Self {
            place,
            shell,
            occasion: None,
            directives: Vec::new(),
            skill: PhantomData,
        }
    }

    /// A context for a test of an action or hook, outside any agent.
    pub fn for_test(config: S::Config) -> Self {
        let mut shell = Shell::default();
        shell.set_config(S::STATE_KEY, OwnConfig::new(config));
        Self::bare(const { &Place::nowhere::<S>() }, shell)
    }

    fn occasion(&mut self) -> &mut Occasion {
        self.occasion.get_or_insert_default()
    }

    /// The same with a signal, as if it had led to the call.
    #[must_use]
    pub fn with_signal(mut self, signal: Signal) -> Self {
        self.occasion().signal = Some(signal);
        self
    }

    /// The same with an address to reply to.
    #[must_use]
    pub fn with_reply_to(mut self, address: impl Into<String>) -> Self {
        self.occasion().reply_to = Some(address.into());
        self
    }

    /// The same with a time and an id.
    #[must_use]
    pub fn with_stamp(mut self, stamp: Stamp) -> Self {
        self.occasion().stamp = Some(stamp);
        self
    }

    /// The configuration of this instance.
    pub fn config(&self) -> &S::Config {
        let config: &dyn Any = match self.shell.own_config(self.place.key) {
            Some(own) => &*own.value,
            None => (self.place.declared)(),
        };
        config
            .downcast_ref()
            .expect("both makers of a context take the configuration of `S`")
    }

    /// The name of the agent.
    pub fn agent_name(&self) -> &'static str {
        self.place.agent_name
    }

    /// The id of the agent, where it was given one.
    pub fn agent_id(&self) -> Option<&str> {
        self.shell.id()
    }

    /// The name of this instance of the skill: `calc` for `Calculator as calc`.
    pub fn skill(&self) -> &'static str {
        self.place.instance
    }

    /// The signal that led here.
    pub fn signal(&self) -> Option<&Signal> {
        self.occasion.as_ref()?.signal.as_ref()
    }

    /// Where a reply goes.
    pub fn reply_to(&self) -> Option<&str> {
        self.occasion.as_ref()?.reply_to.as_deref()
    }

    /// The time of the command; `None` where nobody stamped it.
    pub fn now(&self) -> Option<SystemTime> {
        self.stamp().map(|stamp| stamp.now)
    }

    /// The id of the command; `None` where nobody stamped it.
    pub fn id(&self) -> Option<&str> {
        self.stamp().map(|stamp| stamp.id.as_str())
    }

    /// Queues a signal to be published.
    pub fn emit(&mut self, signal: Signal) {
        let effect = self.effect(self.own_signal(signal));
        self.directives.push(Directive::Emit(effect));
    }

    /// Queues an answer to whoever asked.
    pub fn reply(&mut self, signal: Signal) {
        let reply = Reply {
            to: self.reply_to().map(str::to_owned),
            signal: self.own_signal(signal),
        };
        let effect = self.effect(reply);
        self.directives.push(Directive::Reply(effect));
    }

    /// Queues an action to be run afterwards. The names of the skill's own actions mean this instance.
    pub fn run(&mut self, instruction: impl Into<Instruction>) {
        let mut instruction = instruction.into();
        if self.place.aliased && S::SPEC.actions.iter().any(|a| a.name == instruction.action) {
            instruction.action =
                Cow::Owned(format!("{}_{}", self.place.instance, instruction.action));
        }
        let effect = self.effect(instruction);
        self.directives.push(Directive::Run(effect));
    }

    /// Queues a signal to be delivered after a while.
    pub fn schedule(&mut self, after: Duration, signal: Signal) {
        let schedule = Schedule {
            after,
            signal: self.own_signal(signal),
        };
        let effect = self.effect(schedule);
        self.directives.push(Directive::Schedule(effect));
    }

    /// Queues the end of the agent.
    pub fn stop(&mut self, reason: impl Into<Cow<'static, str>>) {
        let origin = self.origin();
        let reason = reason.into();
        self.directives.push(Directive::Stop { reason, origin });
    }

    /// What was queued, in order.
    pub fn directives(&self) -> &[Directive] {
        &self.directives
    }

    /// Takes what was queued.
    #[inline]
    pub fn into_directives(self) -> Vec<Directive> {
        self.directives
    }

    fn stamp(&self) -> Option<&Stamp> {
        self.occasion.as_ref()?.stamp.as_ref()
    }

    fn effect<T>(&self, effect: T) -> Effect<T> {
        Effect {
            effect,
            origin: self.origin(),
        }
    }

    fn origin(&self) -> Origin {
        Origin {
            skill: Cow::Borrowed(self.place.instance),
            cause: self.id().map(str::to_owned),
            tags: Vec::new(),
        }
    }

    /// A signal type that begins with the skill's name begins with the instance's where that has another one.
    fn own_signal(&self, mut signal: Signal) -> Signal {
        if self.place.aliased
            && let Some(rest) = signal.ty().strip_prefix(S::NAME)
            && (rest.is_empty() || rest.starts_with('.'))
        {
            let ty = format!("{}{rest}", self.place.instance);
            signal.set_ty(ty);
        }
        signal
    }
}
