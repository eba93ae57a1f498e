//! Effects that pure code describes and the process layer carries out.

use crate::{Instruction, Signal};
use serde::Serialize;
use std::borrow::Cow;
use std::ops::Deref;
use std::time::Duration;

/// An effect, described and not done (Jido's directives; seed 000 calls them Effects). No state travels in one.
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
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "directive", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Directive {
    /// Publish a signal.
    Emit(Effect<Signal>),
    /// Run an action afterwards.
    Run(Effect<Instruction>),
    /// Answer whoever asked.
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
    /// Take an action of an unmounted skill away.
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
        /// What went wrong.
        message: String,
        /// Where it comes from.
        origin: Origin,
    },
}

/// What is to be done, and where the wish comes from. Reads like what it holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Effect<T> {
    /// What is to be done.
    pub effect: T,
    /// Where it comes from.
    pub origin: Origin,
}

impl<T> Effect<T> {
    /// What is to be done, and where the wish comes from.
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

/// Where a directive comes from (`Effect.Meta` of seed 000).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
#[non_exhaustive]
pub struct Origin {
    /// The name of the skill that wished it; the agent's own name for its own actions.
    pub skill: Cow<'static, str>,
    /// The id of the signal or command that led to it, where one is known.
    pub cause: Option<String>,
    /// Words to filter by.
    pub tags: Vec<Cow<'static, str>>,
}

impl Origin {
    /// A skill, by the name of its instance.
    pub fn new(skill: impl Into<Cow<'static, str>>) -> Self {
        Self {
            skill: skill.into(),
            ..Self::default()
        }
    }
}

/// An answer to whoever asked.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Reply {
    /// The address that the request gave, where it gave one.
    pub to: Option<String>,
    /// The answer.
    pub signal: Signal,
}

/// A signal to be delivered later.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Schedule {
    /// How long to wait.
    pub after: Duration,
    /// What to deliver.
    pub signal: Signal,
}

/// A child to be started, by the id of a child specification.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Spawn {
    /// The id of the child.
    pub id: Cow<'static, str>,
    /// What it is started with.
    pub params: serde_json::Value,
}
