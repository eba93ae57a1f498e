//! A skill's hooks as a table of functions. A skill without hooks needs neither a table nor an `impl Hooks`.

use super::{Handled, HookError, Hooks, Start};
use crate::bounds::{ConfigOf, SharedState, of};
use crate::context::{ContextParts, Hook, InstanceInfo, QueuedEffects};
use crate::{ChildSpec, Context, Instruction, Route, Signal, Skill};
use serde_json::Value;
use std::any::Any;
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

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
    pub(crate) fns: HookFns,
    skill: PhantomData<fn() -> S>,
}

/// Type-erased hooks.
#[derive(Clone, Copy)]
pub(crate) struct HookFns {
    /// Calls a hook on a copy of the state. Returns its answer, and the copy if the hook changed it. A default hook, or a hook
    /// that returns `Ignored` or an error, changes and queues nothing.
    pub(crate) call: HookCall,
    pub(crate) routes: fn(&InstanceInfo, config: &dyn Any) -> Vec<(Route, Instruction)>,
    pub(crate) restore: fn(version: &str, state: Value) -> Result<SharedState, HookError>,
    pub(crate) child_specs: fn(config: &dyn Any) -> Vec<ChildSpec>,
    pub(crate) turn_context: fn(&dyn Any, ContextParts<'_>) -> Option<String>,
}

type HookCall = fn(
    &dyn Any,
    ContextParts<'_>,
    HookRequest<'_>,
    &mut QueuedEffects,
) -> Result<(HookAnswer, Option<SharedState>), HookError>;

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
        let fns = HookFns {
            call: call::<S>,
            routes: |instance, config| {
                let routes = S::routes(of(config)).into_iter();
                let rename = |(route, instruction)| instance.rename_route::<S>(route, instruction);
                routes.map(rename).collect()
            },
            restore: |version, state| S::restore(version, state).map(S::Config::__share),
            child_specs: |config| S::child_specs(of(config)),
            turn_context: |state, parts| {
                let cx = Context::new(parts);
                of::<S>(state).turn_context(&cx).map(Cow::into_owned)
            },
        };
        let skill = PhantomData;
        Self { fns, skill }
    }
}

fn call<S: Hooks + Skill>(
    state: &dyn Any,
    parts: ContextParts<'_>,
    request: HookRequest<'_>,
    queued: &mut QueuedEffects,
) -> Result<(HookAnswer, Option<SharedState>), HookError> {
    let mut cx = Context::new(parts);
    // whether the hook is a default one is known only after the call, so each call needs a copy
    let mut skill: S = S::Config::__clone(of(state));
    let hook = request.hook();
    let answer = match request {
        HookRequest::Mount(start) => {
            skill.on_mount(start, &mut cx)?;
            HookAnswer::Mounted
        }
        HookRequest::Prepare(signal) => {
            HookAnswer::Prepared(skill.prepare_signal(signal, &mut cx)?)
        }
        HookRequest::Handle(signal) => HookAnswer::Handled(skill.handle_signal(signal, &mut cx)?),
        HookRequest::Transform(signal, result) => {
            HookAnswer::Transformed(skill.transform_result(signal, result, &mut cx)?)
        }
    };
    if cx.default_hook == Some(hook) || matches!(answer, HookAnswer::Handled(Handled::Ignored)) {
        return Ok((answer, None));
    }
    cx.queue_into(queued);
    Ok((answer, Some(S::Config::__share(skill))))
}

// not derived: the derive would require `S: Debug`
impl<S: Skill> fmt::Debug for HookEntry<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HookEntry").finish_non_exhaustive()
    }
}
