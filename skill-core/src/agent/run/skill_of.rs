//! Traits that tell rustc which skills an agent has.

use crate::action::{Undo, change};
use crate::agent::mounting::apply_mounts_or_report;
use crate::bounds::{ConfigOf, Configuration, of};
use crate::context::{AgentEnv, CommandMeta, ConfigCell, ContextParts, InstanceInfo};
use crate::spec::Provenance;
use crate::{Agent, Context, Outcome, PureAction, Skill, Stamp};

/// Implemented for every skill that the agent `G` lists. `agent!` writes the impls.
///
/// The skill implements the trait, not the agent. Otherwise, rustc would take the agent's only skill for the missing one, and
/// would not show the message below. `AT` distinguishes the instances of one skill; [`Agent::cmd`] uses 0.
#[diagnostic::on_unimplemented(
    message = "agent `{G}` does not have the skill `{Self}`",
    label = "needs `{Self}`",
    note = "add `{Self}` to `skills: [...]` of `{G}`; where it is listed only under other names (`{Self} as ...`), say which one: `agent.name().cmd(...)` or `server.instance({G}::name).call(...)`"
)]
pub trait SkillOf<G: Agent, const AT: usize = 0>: Skill {
    /// The instance's alias.
    const ALIAS: Option<&'static str> = None;

    /// Returns the instance's state.
    fn of(state: &G::State) -> &Self;

    /// Returns the instance's state, mutably.
    fn of_mut(state: &mut G::State) -> &mut Self;

    /// Returns the cell of the declared configuration.
    fn cell() -> &'static ConfigCell;

    /// Sets the values declared in `agent!`.
    fn configure(config: &mut Self::Config) {
        let _ = config;
    }

    /// Returns the configuration declared in `agent!`.
    fn declared() -> &'static Self::Config {
        Self::cell().get(|| {
            let mut config = Self::Config::__default();
            Self::configure(&mut config);
            config
        })
    }
}

/// Returns an instance's state key.
pub(crate) const fn key_of<G: Agent, S: SkillOf<G, AT>, const AT: usize>() -> &'static str {
    match S::ALIAS {
        Some(alias) => alias,
        // the base fields have no key; a skill's key may equal the agent's name
        None if S::SPEC.provenance.is(Provenance::Agent) => "",
        None => S::SPEC.state_key,
    }
}

/// Returns an instance's description, for use in contexts.
pub(crate) const fn instance_info<G: Agent, S: SkillOf<G, AT>, const AT: usize>() -> InstanceInfo {
    // as an argument, so that rustc reports a mistake in the spec at the key
    instance_info_at::<G, S, AT>(key_of::<G, S, AT>())
}

const fn instance_info_at<G: Agent, S: SkillOf<G, AT>, const AT: usize>(
    key: &'static str,
) -> InstanceInfo {
    InstanceInfo {
        agent_name: G::SPEC.name,
        name: match S::ALIAS {
            Some(alias) => alias,
            None => S::NAME,
        },
        aliased: S::ALIAS.is_some(),
        key,
        declared: || S::declared(),
    }
}

/// Returns an instance's configuration: the one set with the builder, or else the declared one.
pub(crate) fn config_of<G: Agent, S: SkillOf<G, AT>, const AT: usize>(
    env: &AgentEnv,
) -> &S::Config {
    of(const { &instance_info::<G, S, AT>() }.config(env))
}

/// Implemented for every skill that the agent `G` lists in `skills` or `mounted`, under any name. `agent!` writes the impls that
/// do not follow from [`SkillOf`], one per type.
///
/// If rustc reports conflicting implementations of this trait, one type is written with two different paths: use the same path in
/// both places.
#[diagnostic::on_unimplemented(
    message = "agent `{G}` does not list the skill `{Self}`",
    label = "an action of `{Self}`, which `{G}` does not list",
    note = "add `{Self}` to `skills: [...]` or `mounted: [...]` of `{G}`"
)]
pub trait ListedIn<G: Agent> {}

#[diagnostic::do_not_recommend]
impl<G: Agent, S: SkillOf<G>> ListedIn<G> for S {}

/// An agent that has the skill `S`, as a bound for generic code. Such code can read the skill's state and run its actions.
/// Generic code over an `AgentServer<G>` uses the bound `S: SkillOf<G>` instead, with [`SkillOf`](crate::bounds::SkillOf).
///
/// ```
/// # #[cfg(feature = "macros")] {
/// use schemars::JsonSchema;
/// use serde::{Deserialize, Serialize};
/// use skill_core::{Agent, HasSkill, Skill, action, agent};
///
/// /// Keeps notes.
/// #[derive(Skill, Clone, Default, Serialize, Deserialize, JsonSchema)]
/// #[serde(default)]
/// #[skill(name = "notes", actions(Note))]
/// pub struct Notes {
///     lines: Vec<String>,
/// }
///
/// /// Write a line down.
/// #[action]
/// pub fn note(notes: &mut Notes, line: String) -> usize {
///     notes.lines.push(line);
///     notes.lines.len()
/// }
///
/// fn note_twice<G: Agent + HasSkill<Notes>>(agent: &mut G, line: &str) -> usize {
///     let Ok(_) = agent.cmd(Note { line: line.to_owned() });
///     let Ok(second) = agent.cmd(Note { line: line.to_owned() });
///     assert_eq!(agent.state_of().lines.len(), second.output);
///     second.output
/// }
///
/// agent! {
///     pub struct Clerk {
///         name: "clerk",
///         skills: [Notes],
///     }
/// }
/// assert_eq!(note_twice(&mut Clerk::new(), "buy ink"), 2);
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "agent `{Self}` does not have the skill `{S}`",
    label = "needs `{S}`",
    note = "add `{S}` to `skills: [...]` of `{Self}`; where it is listed only under other names (`{S} as ...`), say which one: `agent.name().cmd(...)` or `server.instance({Self}::name).call(...)`"
)]
pub trait HasSkill<S, const AT: usize = 0>: Agent {
    /// Returns the instance's state.
    fn state_of(&self) -> &S;
    #[doc(hidden)]
    fn __run<A: PureAction<Skill = S>>(
        &mut self,
        action: A,
        stamp: Option<&Stamp>,
    ) -> Result<Outcome<A::Output>, A::Error>;
}

#[diagnostic::do_not_recommend]
impl<G: Agent, S: SkillOf<G, AT>, const AT: usize> HasSkill<S, AT> for G {
    fn state_of(&self) -> &S {
        S::of(self.__parts().0)
    }

    #[inline]
    fn __run<A: PureAction<Skill = S>>(
        &mut self,
        action: A,
        stamp: Option<&Stamp>,
    ) -> Result<Outcome<A::Output>, A::Error> {
        run::<G, A, AT>(action, self, stamp)
    }
}

/// A pure action of one of the skills of the agent `G`.
///
/// Implemented for every such action. Do not implement it yourself.
#[diagnostic::on_unimplemented(
    message = "`cmd` is pure and cannot run `{Self}`, which is an async action",
    label = "not an action that can run at once",
    note = "an async action runs in a server: `server.call({Self} {{ ... }}).await`"
)]
pub trait RunsOn<G: Agent>: Sized {
    /// The action's output.
    type Output;
    /// The action's error.
    type Error;
    #[doc(hidden)]
    fn __run_on(
        self,
        agent: &mut G,
        stamp: Option<&Stamp>,
    ) -> Result<Outcome<Self::Output>, Self::Error>;
}

impl<G, A> RunsOn<G> for A
where
    G: HasSkill<A::Skill>,
    A: PureAction,
{
    type Output = A::Output;
    type Error = A::Error;

    #[inline]
    fn __run_on(
        self,
        agent: &mut G,
        stamp: Option<&Stamp>,
    ) -> Result<Outcome<A::Output>, A::Error> {
        agent.__run(self, stamp)
    }
}

/// Runs a pure action on an instance. If it fails, the skill's state is restored.
#[inline]
pub(crate) fn run<G, A, const AT: usize>(
    action: A,
    agent: &mut G,
    stamp: Option<&Stamp>,
) -> Result<Outcome<A::Output>, A::Error>
where
    G: Agent,
    A: PureAction,
    A::Skill: SkillOf<G, AT>,
{
    let (state, env) = agent.__parts_mut();
    let meta = stamp.filter(|_| A::TAKES_CONTEXT).map(CommandMeta::stamped);
    let parts = ContextParts {
        instance: const { &instance_info::<G, A::Skill, AT>() },
        env,
        meta: meta.as_ref(),
    };
    let mut cx = Context::for_action(A::TAKES_CONTEXT, parts);
    let undo = if A::FALLIBLE && A::CHANGES {
        Undo::Copy
    } else {
        Undo::None
    };
    let skill = A::Skill::of_mut(state);
    let (output, _) = change(skill, <A::Skill as Skill>::Config::__clone, undo, |skill| {
        action.run(skill, &mut cx)
    })?;
    let mut queued = cx.into_queued();
    if A::TAKES_CONTEXT && queued.has_mounts() {
        apply_mounts_or_report(agent, &mut queued);
    }
    Ok(Outcome::new(output, queued.directives))
}
