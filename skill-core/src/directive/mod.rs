//! Effects that pure code describes and the process layer carries out.

mod facts;
mod repeat;

#[doc(hidden)]
pub use facts::{AfterRestart, DirectiveFacts, DirectiveHandler, SignalOf};
#[doc(hidden)]
pub use repeat::NextRun;
pub use repeat::{Missed, Repeat, Rhythm, cron, every};

use crate::{Instruction, Signal};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::ops::Deref;
use std::time::Duration;

/// An effect that an action or hook describes and a server carries out. Directives never contain state.
///
/// ```
/// use skill_core::{Context, Directive, NoConfig, Signal};
/// # use schemars::JsonSchema;
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Clone, Default, Serialize, Deserialize, JsonSchema)] struct Clock {}
/// # impl skill_core::Skill for Clock { type Config = NoConfig; const SPEC: skill_core::SkillSpec = skill_core::SkillSpec::new("clock"); }
/// let mut cx = Context::<Clock>::for_test(NoConfig {});
/// cx.emit(Signal::new("clock.ticked", serde_json::json!({})));
/// let directives = cx.into_directives();
/// assert!(matches!(&directives[..], [Directive::Emit(signal)] if signal.ty() == "clock.ticked"));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "directive", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Directive {
    /// Publish a signal.
    Emit(Effect<Signal>),
    /// Run an action after the command.
    Run(Effect<Instruction>),
    /// Answer the request that caused this command.
    Reply(Effect<Reply>),
    /// Make a mounted skill's action callable.
    #[non_exhaustive]
    RegisterAction {
        /// The skill's name.
        skill: Cow<'static, str>,
        /// The action's name.
        action: Cow<'static, str>,
        /// The skill and command that the directive comes from.
        origin: Origin,
    },
    /// Make an unmounted skill's action uncallable.
    #[non_exhaustive]
    DeregisterAction {
        /// The skill's name.
        skill: Cow<'static, str>,
        /// The action's name.
        action: Cow<'static, str>,
        /// The skill and command that the directive comes from.
        origin: Origin,
    },
    /// Deliver a signal later.
    Schedule(Effect<Schedule>),
    /// Cancel a scheduled signal.
    #[non_exhaustive]
    Cancel {
        /// The key under which the signal was scheduled.
        key: String,
        /// The skill and command that the directive comes from.
        origin: Origin,
    },
    /// Start a child.
    Spawn(Effect<Spawn>),
    /// Stop the agent.
    #[non_exhaustive]
    Stop {
        /// Why the agent stops.
        reason: Cow<'static, str>,
        /// The skill and command that the directive comes from.
        origin: Origin,
    },
    /// Report an error.
    #[non_exhaustive]
    Error {
        /// The error message.
        message: String,
        /// The skill and command that the directive comes from.
        origin: Origin,
    },
}

impl Directive {
    /// Creates a directive that makes a mounted skill's action callable.
    ///
    /// ```
    /// use skill_core::Directive;
    /// use skill_core::directive::Origin;
    /// let expected = Directive::register_action("counter", "increment", Origin::new("counter"));
    /// assert!(matches!(expected, Directive::RegisterAction { action, .. } if action == "increment"));
    /// ```
    pub fn register_action(
        skill: impl Into<Cow<'static, str>>,
        action: impl Into<Cow<'static, str>>,
        origin: Origin,
    ) -> Self {
        Self::RegisterAction {
            skill: skill.into(),
            action: action.into(),
            origin,
        }
    }

    /// Creates a directive that makes an unmounted skill's action uncallable.
    pub fn deregister_action(
        skill: impl Into<Cow<'static, str>>,
        action: impl Into<Cow<'static, str>>,
        origin: Origin,
    ) -> Self {
        Self::DeregisterAction {
            skill: skill.into(),
            action: action.into(),
            origin,
        }
    }

    /// Creates a directive that cancels the signal scheduled under a key.
    pub fn cancel(key: impl Into<String>, origin: Origin) -> Self {
        Self::Cancel {
            key: key.into(),
            origin,
        }
    }

    /// Creates a directive that stops the agent.
    pub fn stop(reason: impl Into<Cow<'static, str>>, origin: Origin) -> Self {
        Self::Stop {
            reason: reason.into(),
            origin,
        }
    }

    /// Creates a directive that reports an error.
    pub fn error(message: impl Into<String>, origin: Origin) -> Self {
        Self::Error {
            message: message.into(),
            origin,
        }
    }
}

/// A directive's content together with its origin. Dereferences to the content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Effect<T> {
    /// The content, such as the signal to emit.
    pub effect: T,
    /// The skill and command that the directive comes from.
    pub origin: Origin,
}

impl<T> Effect<T> {
    /// Creates an effect with its origin.
    pub fn new(effect: T, origin: Origin) -> Self {
        Self { effect, origin }
    }
}

impl<T> Deref for Effect<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.effect
    }
}

/// The skill and the command that a directive comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Origin {
    /// The name of the instance that queued the directive. For the agent's own actions, the agent's name.
    pub skill: Cow<'static, str>,
    /// The id of the signal or command that caused the directive, if known.
    pub cause: Option<String>,
    /// Labels for filtering. The label `skill` marks instructions that a skill queued, and actions that are added or removed
    /// because a skill is mounted or unmounted.
    #[serde(default)]
    pub tags: Vec<Cow<'static, str>>,
}

/// The tag for everything that skills add to an agent: actions of mounted skills, and instructions.
pub(crate) const SKILL_TAG: &str = "skill";

impl Origin {
    /// Creates an origin with the name of an instance.
    pub fn new(skill: impl Into<Cow<'static, str>>) -> Self {
        Self {
            skill: skill.into(),
            ..Self::default()
        }
    }
}

/// The answer to a request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Reply {
    /// The request's reply address.
    pub to: Option<String>,
    /// The answer, as a signal.
    pub signal: Signal,
}

impl Reply {
    /// Creates an answer to a request without a reply address.
    pub fn new(signal: Signal) -> Self {
        Self { to: None, signal }
    }

    /// Sets the reply address.
    #[must_use]
    pub fn with_to(mut self, address: impl Into<String>) -> Self {
        self.to = Some(address.into());
        self
    }
}

/// A signal to deliver later, once or repeatedly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Schedule {
    /// The delay before the delivery. Zero for a schedule that repeats.
    pub after: Duration,
    /// The signal to deliver.
    pub signal: Signal,
    /// The key for cancelling the signal. A later schedule with the same key replaces this one.
    pub key: Option<String>,
    /// When the schedule repeats. `None` for a signal that is delivered once.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Repeat>,
    #[doc(hidden)]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<NextRun>,
}

impl Schedule {
    /// Creates a schedule for a signal, without a key.
    pub fn new(after: Duration, signal: Signal) -> Self {
        Self {
            after,
            signal,
            key: None,
            repeat: None,
            next: None,
        }
    }

    /// Creates a schedule that repeats, without a key.
    pub fn repeating(repeat: Repeat, signal: Signal) -> Self {
        Self {
            repeat: Some(repeat),
            ..Self::new(Duration::ZERO, signal)
        }
    }

    /// Sets the key for cancelling the signal.
    #[must_use]
    pub fn with_key(mut self, key: impl Into<String>) -> Self {
        self.key = Some(key.into());
        self
    }
}

/// A child to start, by the id of its child spec.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Spawn {
    /// The id in the child's spec.
    pub id: Cow<'static, str>,
    /// The child's parameters.
    pub params: serde_json::Value,
}

impl Spawn {
    /// Creates a request to start the child `id` with `params`.
    pub fn new(id: impl Into<Cow<'static, str>>, params: serde_json::Value) -> Self {
        Self {
            id: id.into(),
            params,
        }
    }
}
