//! Runs one typed action on an agent, completely or not at all.

use crate::action::{Kind, Performed};
use crate::agent::run::skill_of::{instance_info, key_of};
use crate::agent::run::transaction::{MetaRef, Saved, Transaction};
use crate::agent::slot::make_undo;
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
/// is unchanged. An async action is returned without running it.
pub fn perform<G, A, const AT: usize>(
    agent: &mut G,
    action: A,
    meta: MetaRef<'_>,
    keep: bool,
) -> Performed<A, AppliedAction<G, A::Output>>
where
    G: Agent,
    A: Action,
    A::Skill: SkillOf<G, AT>,
{
    let (state, env) = agent.__parts_mut();
    let mut cx = if A::Kind::TAKES_CONTEXT {
        Context::new(const { &instance_info::<G, A::Skill, AT>() }, env, meta)
    } else {
        Context::unused()
    };
    let skill = A::Skill::of_mut(state);
    let mut before = None;
    let output = if A::CHANGES {
        let mut copy = <A::Skill as Skill>::Config::__clone(skill);
        let output = match A::Kind::perform(action, &mut copy, &mut cx) {
            Performed::Done(output) => output,
            Performed::Failed(error) => return Performed::Failed(error),
            Performed::Async(action) => return Performed::Async(action),
            Performed::NotMounted(error) => return Performed::NotMounted(error),
        };
        before = Some(std::mem::replace(skill, copy));
        output
    } else {
        match A::Kind::perform(action, skill, &mut cx) {
            Performed::Done(output) => output,
            Performed::Failed(error) => return Performed::Failed(error),
            Performed::Async(action) => return Performed::Async(action),
            Performed::NotMounted(error) => return Performed::NotMounted(error),
        }
    };
    let mut queued = cx.into_queued();
    let must_mount = A::Kind::TAKES_CONTEXT && queued.has_mounts();
    let mounts = if must_mount {
        queued.take_mounts()
    } else {
        Vec::new()
    };
    let mut directives = queued.directives;
    let mut saved = Vec::new();
    let has_directives = A::Kind::TAKES_CONTEXT && !directives.is_empty();
    match before {
        // The saved state is kept, because a server undoes a command that queues too many directives.
        Some(before) if keep || must_mount || has_directives => {
            let undo = make_undo::<G, A::Skill, AT>(before);
            saved.push((key_of::<G, A::Skill, AT>(), undo));
        }
        before => drop_replaced(before),
    }
    if must_mount {
        // mounting runs user code; if that panics, the action's changes are undone too
        let mut transaction = Transaction::begin(agent);
        transaction.absorb(saved, directives);
        if let Err(error) = transaction.mount_queued(mounts) {
            return Performed::NotMounted(error);
        }
        (saved, directives) = transaction.commit();
    }
    Performed::Done(AppliedAction {
        output,
        directives,
        saved,
    })
}
