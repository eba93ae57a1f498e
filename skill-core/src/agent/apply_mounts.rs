//! Mounts and unmounts that an action or hook of an agent has queued.

use crate::Agent;
use crate::context::QueuedEffects;
use crate::mounted::{MountError, error_directive};

/// Applies the mounts that an action or hook of the agent has queued.
#[cold]
pub(crate) fn apply_mounts<G: Agent>(agent: &mut G, queued: &mut QueuedEffects) {
    if let Some(mounted) = G::__mounted_mut(agent.__parts_mut().0) {
        return mounted.apply_mounts(queued);
    }
    for mount in queued.take_mounts() {
        let message = MountError::mounts_none(G::SPEC.name, &mount.skill).to_string();
        queued
            .directives
            .push(error_directive(message, mount.origin));
    }
}
