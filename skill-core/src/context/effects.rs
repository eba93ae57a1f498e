//! The effects queued by an action or hook.

use super::QueuedMount;
use crate::{Directive, Instruction};

/// The effects that an action or hook has queued in its context.
#[derive(Debug, Default)]
pub struct QueuedEffects {
    /// The directives in the order they were queued.
    pub directives: Vec<Directive>,
    /// The effects that few commands have, behind one pointer, because every command checks and drops this field.
    rare: Option<Box<RareEffects>>,
}

#[derive(Debug, Default)]
struct RareEffects {
    /// Mount operations to perform in the same command.
    mounts: Vec<QueuedMount>,
    /// Pure actions to run before an async action returns its answer.
    then: Vec<Instruction>,
}

impl QueuedEffects {
    pub(crate) fn push_mount(&mut self, mount: QueuedMount) {
        self.rare.get_or_insert_default().mounts.push(mount);
    }

    pub(crate) fn push_then(&mut self, instruction: Instruction) {
        self.rare.get_or_insert_default().then.push(instruction);
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.directives.is_empty() && !self.has_mounts()
    }

    #[inline]
    pub(crate) fn has_mounts(&self) -> bool {
        self.rare
            .as_ref()
            .is_some_and(|rare| !rare.mounts.is_empty())
    }

    /// Returns only the directives.
    #[inline]
    pub(crate) fn into_directives(self) -> Vec<Directive> {
        if let Some(rare) = self.rare {
            drop_rare(rare); // not inlined: few commands have such effects
        }
        self.directives
    }

    /// Takes the mount operations.
    pub fn take_mounts(&mut self) -> Vec<QueuedMount> {
        let rare = self.rare.as_mut();
        rare.map_or_else(Vec::new, |rare| std::mem::take(&mut rare.mounts))
    }

    /// Takes the pure actions to run before an async action returns its answer.
    pub fn take_then(&mut self) -> Vec<Instruction> {
        let rare = self.rare.as_mut();
        rare.map_or_else(Vec::new, |rare| std::mem::take(&mut rare.then))
    }

    /// Returns the pure actions to run before an async action returns its answer.
    pub fn then(&self) -> &[Instruction] {
        self.rare.as_ref().map_or(&[], |rare| &rare.then)
    }

    /// Appends the effects of `other`.
    #[inline]
    pub(crate) fn append(&mut self, mut other: Self) {
        self.directives.append(&mut other.directives);
        if let Some(rare) = other.rare {
            self.append_rare(*rare);
        }
    }

    #[cold]
    fn append_rare(&mut self, mut other: RareEffects) {
        let rare = self.rare.get_or_insert_default();
        rare.mounts.append(&mut other.mounts);
        rare.then.append(&mut other.then);
    }
}

#[cold]
fn drop_rare(rare: Box<RareEffects>) {
    drop(rare);
}
