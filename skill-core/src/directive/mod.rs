//! Effects that pure code describes and the process layer carries out.

mod facts;

#[doc(hidden)]
pub use facts::{AfterRestart, DirectiveFacts, DirectiveHandler, SignalOf};

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
    /// Run an action afterwards.
    Run(Effect<Instruction>),
    /// Answer the request that led to this command.
    Reply(Effect<Reply>),
    /// Make an action of a mounted skill callable.
    #[non_exhaustive]
    RegisterAction {
        /// The name of the skill.
        skill: Cow<'static, str>,
        /// The name of the action.
        action: Cow<'static, str>,
        /// Where it comes from.
        origin: Origin,
    },
    /// Make an action of an unmounted skill no longer callable.
    #[non_exhaustive]
    DeregisterAction {
        /// The name of the skill.
        skill: Cow<'static, str>,
        /// The name of the action.
        action: Cow<'static, str>,
        /// Where it comes from.
        origin: Origin,
    },
    /// Deliver a signal later.
    Schedule(Effect<Schedule>),
    /// Cancel a scheduled signal.
    #[non_exhaustive]
    Cancel {
        /// The key that it was scheduled under.
        key: String,
        /// Where it comes from.
        origin: Origin,
    },
    /// Start a child.
    Spawn(Effect<Spawn>),
    /// Stop the agent.
    #[non_exhaustive]
    Stop {
        /// Why.
        reason: Cow<'static, str>,
        /// Where it comes from.
        origin: Origin,
    },
    /// Report an error.
    #[non_exhaustive]
    Error {
        /// The error.
        message: String,
        /// Where it comes from.
        origin: Origin,
    },
}

impl Directive {
    /// Make an action of a mounted skill callable.
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

    /// Make an action of an unmounted skill no longer callable.
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

    /// Cancel the signal that was scheduled under a key.
    pub fn cancel(key: impl Into<String>, origin: Origin) -> Self {
        Self::Cancel {
            key: key.into(),
            origin,
        }
    }

    /// Stop the agent.
    pub fn stop(reason: impl Into<Cow<'static, str>>, origin: Origin) -> Self {
        Self::Stop {
            reason: reason.into(),
            origin,
        }
    }

    /// Report an error.
    pub fn error(message: impl Into<String>, origin: Origin) -> Self {
        Self::Error {
            message: message.into(),
            origin,
        }
    }
}

/// The content of a directive together with its origin. Dereferences to the content.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Effect<T> {
    /// The content.
    pub effect: T,
    /// Where it comes from.
    pub origin: Origin,
}

impl<T> Effect<T> {
    /// An effect with its origin.
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

/// Where a directive comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Origin {
    /// The name of the instance that queued it; for the agent's own actions, the name of the agent.
    pub skill: Cow<'static, str>,
    /// The id of the signal or command that led to it, if known.
    pub cause: Option<String>,
    /// Labels for filtering: `skill` for an instruction that a skill queued, and for an action that a mounted skill brings or takes.
    #[serde(default)]
    pub tags: Vec<Cow<'static, str>>,
}

/// The tag of what skills add to an agent: actions of mounted skills, and instructions.
pub(crate) const SKILL_TAG: &str = "skill";

impl Origin {
    /// An origin with the name of an instance.
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
    /// The reply address of the request, if it has one.
    pub to: Option<String>,
    /// The answer.
    pub signal: Signal,
}

impl Reply {
    /// An answer to a request that gave no address.
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

/// A signal to deliver later.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Schedule {
    /// How long to wait.
    pub after: Duration,
    /// The signal to deliver.
    pub signal: Signal,
    /// The key to cancel it by. A later schedule with the same key replaces it.
    pub key: Option<String>,
}

impl Schedule {
    /// Schedules a signal, without a key.
    pub fn new(after: Duration, signal: Signal) -> Self {
        Self {
            after,
            signal,
            key: None,
        }
    }

    /// Sets the key.
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
    /// The id of the child.
    pub id: Cow<'static, str>,
    /// Its parameters.
    pub params: serde_json::Value,
}

impl Spawn {
    /// A child with that id and those parameters.
    pub fn new(id: impl Into<Cow<'static, str>>, params: serde_json::Value) -> Self {
        Self {
            id: id.into(),
            params,
        }
    }
}
