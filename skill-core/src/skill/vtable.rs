//! A skill's operations, without its types.

use super::NoConfig;
use crate::action::{ErasedAction, Input, Request};
use crate::bounds::{ConfigFns, ConfigOf, Configuration, SharedState, StateFns, of, of_mut};
use crate::context::{InstanceInfo, QueuedEffects};
use crate::hooks::HookFns;
use crate::{CallFailure, Skill, SkillSpec};
use skill_agent_schema::ReadError;
use std::any::{Any, TypeId};
use std::borrow::Cow;

/// Type-erased operations on a skill, used by everything except typed commands. A state is a `&dyn Any` of the skill's type, and
/// a configuration is one of the type `Skill::Config`.
#[doc(hidden)]
#[expect(
    missing_debug_implementations,
    reason = "it holds only function pointers"
)]
pub struct SkillVtable {
    // functions, because rustc would report a mistake in the spec here too
    pub(crate) spec: fn() -> &'static SkillSpec,
    pub(crate) skill_type: fn() -> TypeId,
    pub(crate) state: &'static StateFns,
    pub(crate) config: &'static ConfigFns,
    /// Creates a state from a configuration.
    pub(crate) init: fn(&dyn Any) -> SharedState,
    /// The keys of the fields that take their initial value from the configuration and keep a stored value.
    pub(crate) kept_fields: &'static [&'static str],
    /// Moves the fields with `always` from an initial state into a state.
    pub(crate) take_fields: Option<fn(&mut dyn Any, initial: &mut dyn Any)>,
    /// Describes the skill mounted at run time.
    pub(crate) mounted: fn() -> &'static InstanceInfo,
    pub(crate) takes_context: fn(action: usize) -> bool,
    pub(crate) read: fn(action: usize, Input<'_>) -> Result<ErasedAction, ReadError>,
    /// Calls the action at an index.
    pub(crate) call: CallFn,
    /// Checks the condition of the action at an index.
    pub(crate) when: fn(&dyn Any, action: usize) -> Result<(), Cow<'static, str>>,
    pub(crate) hooks: Option<HookFns>,
}

type CallFn = fn(
    &mut dyn Any,
    action: usize,
    &mut Request<'_>,
    &mut QueuedEffects,
) -> Result<String, CallFailure>;

/// The configuration of most skills. With this table, their crates do not compile its functions again.
pub(crate) static NO_CONFIG: ConfigFns = NoConfig::__FNS;

impl SkillVtable {
    /// Returns the operations on `S`.
    #[must_use]
    pub const fn of<S: Skill>() -> Self {
        Self::with_config::<S>(const { &S::Config::__FNS })
    }

    /// Returns the operations on `S`, which has no configuration.
    #[must_use]
    pub const fn without_config<S: Skill<Config = NoConfig>>() -> Self {
        Self::with_config::<S>(&NO_CONFIG)
    }

    const fn with_config<S: Skill>(config: &'static ConfigFns) -> Self {
        Self {
            spec: || const { &S::SPEC },
            skill_type: TypeId::of::<S>,
            state: const { &S::Config::__STATE },
            config,
            init: |config| S::Config::__share(S::init(of(config))),
            kept_fields: S::__CONFIG_FIELDS.kept,
            take_fields: match S::__CONFIG_FIELDS.take {
                Some(_) => Some(take_fields::<S>),
                None => None,
            },
            mounted: || const { &InstanceInfo::mounted::<S>() },
            takes_context: |action| S::ACTIONS[action].takes_context,
            read: |action, input| (S::ACTIONS[action].read)(input),
            call: |state, action, request, queued| {
                (S::ACTIONS[action].perform)(of_mut(state), request, queued)
            },
            when: |state, action| match S::ACTIONS[action].when {
                Some(when) => when(of(state)),
                None => Ok(()),
            },
            hooks: match S::HOOKS {
                Some(entry) => Some(entry.fns),
                None => None,
            },
        }
    }
}

fn take_fields<S: Skill>(state: &mut dyn Any, initial: &mut dyn Any) {
    if let Some(take) = S::__CONFIG_FIELDS.take {
        take(of_mut(state), of_mut(initial));
    }
}
