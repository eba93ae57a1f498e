//! Traits that tell rustc which resources actions, skills and agents need. An agent has one bound over its skills, and a skill
//! has one bound over its actions. A missing resource therefore causes one error, which names the action that needs the resource.

use super::entry::AsyncEntry;
use super::{Async, AsyncAction, Resources};
use crate::{Action, Pure, PureAction, Skill};

/// An action of the skill `S` that can run with the resources `R`. A pure action can run with any resources.
///
/// Implemented for every such action. Do not implement it yourself.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot run with the resources `{R}`",
    label = "not an action of `{S}` that runs with `{R}`"
)]
pub trait RunsWith<S: Skill, R: Resources> {
    #[doc(hidden)]
    const ENTRY: Option<AsyncEntry<S, R>>;
}

impl<S: Skill, R: Resources, A: Action<Skill = S>> RunsWith<S, R> for A
where
    A::Kind: KindRunsWith<A, R>,
{
    const ENTRY: Option<AsyncEntry<S, R>> = A::Kind::ENTRY;
}

/// Implements [`RunsWith`] according to the action's kind. With separate impls for pure and async actions, rustc would only
/// report that neither applies, and not which resource is missing.
pub trait KindRunsWith<A: Action, R: Resources> {
    #[doc(hidden)]
    const ENTRY: Option<AsyncEntry<A::Skill, R>>;
}

impl<A: PureAction, R: Resources> KindRunsWith<A, R> for Pure {
    const ENTRY: Option<AsyncEntry<A::Skill, R>> = None;
}

impl<A: AsyncAction<R>, R: Resources> KindRunsWith<A, R> for Async {
    const ENTRY: Option<AsyncEntry<A::Skill, R>> = Some(AsyncEntry::of::<A>());
}

/// A tuple of up to sixteen actions of the skill `S` that can run with the resources `R`.
pub trait RunWith<S: Skill, R: Resources> {
    #[doc(hidden)]
    const ASYNC_ACTIONS: &'static [Option<AsyncEntry<S, R>>];
}

macro_rules! tuples {
    ($first:ident $($rest:ident)*) => {
        impl<S: Skill, R: Resources, $first: RunsWith<S, R>, $($rest: RunsWith<S, R>),*> RunWith<S, R>
            for ($first, $($rest,)*)
        {
            const ASYNC_ACTIONS: &'static [Option<AsyncEntry<S, R>>] = &[$first::ENTRY, $($rest::ENTRY),*];
        }
        tuples!($($rest)*);
    };
    () => {};
}
tuples!(A0 A1 A2 A3 A4 A5 A6 A7 A8 A9 A10 A11 A12 A13 A14 A15);

/// A skill whose actions can all run with the resources `R`. Implemented by `#[derive(Skill)]`.
///
/// A hand-written skill without async actions needs one line:
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use skill_core::{NoConfig, Resources, Skill, SkillSpec, bounds::SkillRunsWith};
///
/// #[derive(Clone, Default, Serialize, Deserialize, JsonSchema)]
/// struct Notes {}
///
/// impl Skill for Notes {
///     type Config = NoConfig;
///     const SPEC: SkillSpec = SkillSpec::new("notes");
/// }
///
/// impl<R: Resources> SkillRunsWith<R> for Notes {}
/// ```
#[diagnostic::on_unimplemented(
    message = "the skill `{Self}` does not say which resources it needs",
    label = "`{Self}` does not implement `SkillRunsWith`",
    note = "`#[derive(Skill)]` says it; for a skill written by hand write `impl<R: Resources> SkillRunsWith<R> for {Self} {{}}`"
)]
pub trait SkillRunsWith<R: Resources>: Skill {
    /// The entry of each action in the order of `SPEC.actions`, in chunks of sixteen; `None` for a pure action.
    #[doc(hidden)]
    const ASYNC_ACTIONS: &'static [&'static [Option<AsyncEntry<Self, R>>]] = &[];
}

/// A trait that no type implements. An impl of `RunsOn` for async actions requires it, so that rustc reports that `cmd` cannot
/// run `A`.
pub trait NeedsServer<A> {}
