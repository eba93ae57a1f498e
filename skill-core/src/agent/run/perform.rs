//! Runs one typed action on an agent, completely or not at all.

use crate::action::{Kind, NotPerformed, Undo, change};
use crate::agent::run::transaction::{MetaRef, Saved, SavedState, Transaction};
use crate::agent::slot::slot;
use crate::bounds::ConfigOf;
use crate::panics::drop_replaced;
use crate::{Action, Agent, Context, Directive, Skill, SkillOf};

/// The effect of a successful typed action.
pub struct AppliedAction<G: Agent, T> {
    /// The action's output.
    pub output: T,
    /// The directives queued by the action.
    pub directives: Vec<Directive>,
    /// The replaced state. Only set if the action can change state, and either queued effects or was run with `keep`.
    pub saved: Saved<G>,
}

/// Runs a typed action on a copy of its skill's state, which replaces the state on success. After an error or a panic the agent
/// is unchanged.
///
/// # Errors
/// Fails if the action fails, or if a mount operation that it queued fails. An async action is returned without running it.
pub fn perform<G, A, const AT: usize>(
    agent: &mut G,
    action: A,
    meta: MetaRef<'_>,
    keep: bool,
) -> Result<AppliedAction<G, A::Output>, NotPerformed<A>>
where
    G: Agent,
    A: Action,
    A::Skill: SkillOf<G, AT>,
{
    let (state, env) = agent.__parts_mut();
    let slot = const { &slot::<G, A::Skill, AT>() };
    let parts = slot.parts(env, meta);
    let mut cx = Context::for_action(A::Kind::TAKES_CONTEXT, parts);
    let undo = if A::CHANGES { Undo::Saved } else { Undo::None };
    let skill = A::Skill::of_mut(state);
    let perform = |skill: &mut A::Skill| A::Kind::perform(action, skill, &mut cx);
    let (output, before) = change(skill, <A::Skill as Skill>::Config::__clone, undo, perform)?;
    let queued = cx.into_queued();
    let mut saved = Vec::new();
    match before {
        // The saved state is kept, because a server undoes a command that queues too many directives.
        Some(before) if keep || (A::Kind::TAKES_CONTEXT && !queued.is_empty()) => {
            let before = <A::Skill as Skill>::Config::__share(before);
            saved.push(SavedState::of_skill(slot, before));
        }
        before => drop_replaced(before),
    }
    // mounting runs user code; if that panics, the action's changes are undone too
    let mut transaction = Transaction {
        agent,
        saved,
        queued,
    };
    transaction
        .apply_mounts()
        .map_err(NotPerformed::NotMounted)?;
    let (saved, directives) = transaction.commit();
    Ok(AppliedAction {
        output,
        directives,
        saved,
    })
}
