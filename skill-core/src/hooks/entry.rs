//! A skill's hooks as a table of functions. A skill without hooks needs neither a table nor an `impl Hooks`.

use super::{Handled, HookError, Hooks, Start};
use crate::context::Hook;
use crate::{ChildSpec, Context, Instruction, Route, Signal, Skill};
use serde_json::Value;
use std::fmt;

/// The hooks of the skill `S`, for [`Skill::HOOKS`].
///
/// `#[skill(hooks)]` generates the entry. A hand-written skill needs an `impl Hooks` and one line:
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use skill_core::{HookEntry, Hooks, NoConfig, Skill, SkillSpec};
///
/// #[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
/// #[serde(default)]
/// struct Notes {}
///
/// impl Hooks for Notes {}
///
/// impl Skill for Notes {
///     type Config = NoConfig;
///     const SPEC: SkillSpec = SkillSpec::new("notes");
///     const HOOKS: Option<HookEntry<Self>> = Some(HookEntry::of());
/// }
/// ```
pub struct HookEntry<S: Skill> {
    pub(crate) call: fn(&mut S, HookRequest<'_>, &mut Context<S>) -> Result<HookAnswer, HookError>,
    pub(crate) routes: fn(&S::Config) -> Vec<(Route, Instruction)>,
    pub(crate) restore: fn(&str, Value) -> Result<S, HookError>,
    pub(crate) child_specs: fn(&S::Config) -> Vec<ChildSpec>,
}

/// A call to a hook, with its arguments.
#[derive(Debug)]
pub(crate) enum HookRequest<'a> {
    Mount(Start),
    Prepare(Signal),
    Handle(&'a Signal),
    Transform(&'a Signal, Result<Value, HookError>),
}

/// A hook's answer. The answer has the same variant as its request.
#[derive(Debug)]
pub(crate) enum HookAnswer {
    Mounted,
    Prepared(Signal),
    Handled(Handled),
    Transformed(Value),
}

impl HookRequest<'_> {
    pub(crate) fn hook(&self) -> Hook {
        match self {
            Self::Mount(_) => Hook::Mount,
            Self::Prepare(_) => Hook::Prepare,
            Self::Handle(_) => Hook::Handle,
            Self::Transform(..) => Hook::Transform,
        }
    }

    /// Returns the answer of a skill without hooks.
    pub(crate) fn default_answer(self) -> Result<HookAnswer, HookError> {
        match self {
            Self::Mount(_) => Ok(HookAnswer::Mounted),
            Self::Prepare(signal) => Ok(HookAnswer::Prepared(signal)),
            Self::Handle(_) => Ok(HookAnswer::Handled(Handled::Ignored)),
            Self::Transform(_, result) => result.map(HookAnswer::Transformed),
        }
    }
}

impl<S: Skill> HookEntry<S> {
    /// Creates the entry for the hooks that `S` implements.
    // with the bound on the impl, rustc would report a missing method instead of the unmet bound
    pub const fn of() -> Self
    where
        S: Hooks,
    {
        Self {
            call: call::<S>,
            routes: S::routes,
            restore: S::restore,
            child_specs: S::child_specs,
        }
    }
}

fn call<S: Hooks + Skill>(
    skill: &mut S,
    request: HookRequest<'_>,
    cx: &mut Context<S>,
) -> Result<HookAnswer, HookError> {
    match request {
        HookRequest::Mount(start) => skill.on_mount(start, cx).map(|()| HookAnswer::Mounted),
        HookRequest::Prepare(signal) => skill.prepare_signal(signal, cx).map(HookAnswer::Prepared),
        HookRequest::Handle(signal) => skill.handle_signal(signal, cx).map(HookAnswer::Handled),
        HookRequest::Transform(signal, result) => skill
            .transform_result(signal, result, cx)
            .map(HookAnswer::Transformed),
    }
}

// not derived: the derive would require `S: Debug`
impl<S: Skill> fmt::Debug for HookEntry<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HookEntry").finish_non_exhaustive()
    }
}
