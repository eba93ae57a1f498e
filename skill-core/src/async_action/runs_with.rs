//! Which resources actions, skills and agents need, as rustc sees it: a bound per agent over its skills, and per skill over
//! its actions, so that a server without a resource is one error, which names the action that asks.

use super::entry::AsyncEntry;
use super::{Async, AsyncAction, Resources};
use crate::{Action, Pure, PureAction, Skill};

/// An action of the skill `S` that runs where the resources are `R`: a pure one does everywhere.
///
/// Implemented for every such action; never by hand.
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

/// [`RunsWith`], by the kind of the action. (Two impls for actions, one for each kind, would have rustc say that neither
/// holds, and not which resource is missing.)
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

/// Up to sixteen actions of the skill `S` that run where the resources are `R`, as a tuple.
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

/// A skill whose actions all run where the resources are `R`. Written by `#[derive(Skill)]`.
///
/// For a skill written by hand without async actions it is one line:
///
/// ```
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use skill_core::{NoConfig, Resources, Skill, SkillRunsWith, SkillSpec};
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
    /// How its async actions are started, in the order of `SPEC.actions`, sixteen by sixteen; `None` for a pure one.
    #[doc(hidden)]
    const ASYNC_ACTIONS: &'static [&'static [Option<AsyncEntry<Self, R>>]] = &[];
}

/// Never implemented: that `cmd` cannot run the async action `A` is told by the impl of `RunsOn` that waits for it.
pub trait NeedsServer<A> {}
