//! Runs code that changes a skill's state.

/// How the changes of failed code are undone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undo {
    /// Not at all: the caller has saved the state, or nothing changes.
    None,
    /// After an error, a copy from before replaces the state. A panic keeps the changes.
    Copy,
    /// The code runs on a copy, which replaces the state on success. An error and a panic change nothing.
    Saved,
}

/// Runs code that changes a state. Unless `undo` is [`Undo::None`], an error changes nothing, and the state from before is
/// returned too.
// always inlined, so that an action that cannot fail compiles to its bare call
#[inline(always)]
pub(crate) fn change<S, T, E>(
    skill: &mut S,
    clone: impl FnOnce(&S) -> S,
    undo: Undo,
    run: impl FnOnce(&mut S) -> Result<T, E>,
) -> Result<(T, Option<S>), E> {
    let mut other = (undo != Undo::None).then(|| clone(skill));
    let target = match &mut other {
        Some(copy) if undo == Undo::Saved => copy,
        _ => &mut *skill,
    };
    let done = run(target);
    if let Some(other) = &mut other
        && done.is_ok() == (undo == Undo::Saved)
    {
        std::mem::swap(skill, other);
    }
    Ok((done?, other))
}
