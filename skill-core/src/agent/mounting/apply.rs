//! Mounts and unmounts that an action or hook of an agent has queued.

use crate::Agent;
use crate::context::QueuedEffects;
use crate::mounted::{MountError, MountFailure};

/// Applies all queued mounts or none of them.
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

/// Applies the mounts that an action queued whose error type has no room for the failure, which becomes a directive.
#[cold]
pub(crate) fn apply_mounts_or_report<G: Agent>(agent: &mut G, queued: &mut QueuedEffects) {
    if let Err(failure) = apply_mounts(agent, queued) {
        queued.directives.push(failure.into_directive());
    }
}
