//! Applies mounts and unmounts queued by an agent's action or hook.

use crate::Agent;
use crate::context::QueuedEffects;
use crate::mounted::{MountError, MountFailure};

/// Applies all queued mounts or none.
#[cold]
pub(crate) fn apply_mounts<G: Agent>(
    agent: &mut G,
    queued: &mut QueuedEffects,
) -> Result<(), Box<MountFailure>> {
    if let Some(mounted) = G::__mounted_mut(agent.__parts_mut().0) {
        return mounted.apply_mounts(queued);
    }
    match queued.take_mounts().into_iter().next() {
        Some(mount) => Err(Box::new(MountFailure {
            error: MountError::mounts_none(G::SPEC.name, mount.op.skill()),
            origin: mount.origin,
        })),
        None => Ok(()),
    }
}

/// Applies queued mounts. If one fails, the failure becomes a directive, because the action's error type cannot represent it.
#[cold]
pub(crate) fn apply_mounts_or_report<G: Agent>(agent: &mut G, queued: &mut QueuedEffects) {
    if let Err(failure) = apply_mounts(agent, queued) {
        queued.directives.push(failure.into_directive());
    }
}
