//! One typed action on an agent: done, or as if it had not been asked for.

use super::skill_of::{instance_info, key_of};
use super::slot::make_undo;
use super::transaction::{MetaRef, Saved, Transaction};
use crate::action::Kind;
use crate::data::ConfigOf;
use crate::{Action, Agent, Context, Directive, Skill, SkillOf};

/// What a typed action did.
pub struct Performed<G: Agent, T> {
    /// Its answer.
    pub output: T,
    /// What it queued.
    pub directives: Vec<Directive>,
    /// The state it replaced, where that was asked for and there was one.
    pub saved: Saved<G>,
}

/// What became of a typed action; an async one is given back.
pub type Attempted<G, A> =
    Result<Result<Performed<G, <A as Action>::Output>, <A as Action>::Error>, A>;

/// Runs a typed action on a copy of its skill's state, which takes the place of the state on success: an error and a panic
/// leave the agent as it was.
///
/// # Errors
/// The action's own. An async action is given back.
pub fn perform<G, A, const AT: usize>(
    agent: &mut G,
    action: A,
    meta: MetaRef<'_>,
    keep: bool,
) -> Attempted<G, A>
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
        let mut copy = <A::Skill as Skill>::Config::__duplicate(skill);
        let output = match A::Kind::perform(action, &mut copy, &mut cx)? {
            Ok(output) => output,
            Err(error) => return Ok(Err(error)),
        };
        before = Some(std::mem::replace(skill, copy));
        output
    } else {
        match A::Kind::perform(action, skill, &mut cx)? {
            Ok(output) => output,
            Err(error) => return Ok(Err(error)),
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
    if let Some(before) = before.filter(|_| keep || must_mount) {
        let undo = make_undo::<G, A::Skill, AT>(before);
        saved.push((key_of::<G, A::Skill, AT>(), undo));
    }
    if must_mount {
        // a mounted skill is the user's code, and may panic: what the action did is then put back as well
        let mut transaction = Transaction::begin(agent);
        transaction.absorb(saved, directives);
        transaction.mount_queued(mounts);
        (saved, directives) = transaction.commit();
    }
    Ok(Ok(Performed {
        output,
        directives,
        saved,
    }))
}
