//! Applying the mounts that an action or hook has queued.

use super::{MountError, Mounted};
use crate::context::{MountOp, QueuedEffects, QueuedMount};
use crate::{Agent, Directive, Origin};

impl Mounted {
    /// Applies all queued mounts, or none: then a [`Directive::Error`] says why.
    pub(crate) fn apply_mounts(&mut self, queued: &mut QueuedEffects) {
        if !queued.has_mounts() {
            return;
        }
        let mut next = self.clone();
        let mut directives = Vec::new();
        for mount in queued.take_mounts() {
            match next.apply(&mount) {
                Ok(done) => directives.extend(done),
                Err(error) => {
                    let error = refused(error.to_string(), mount.origin);
                    return queued.directives.push(error);
                }
            }
        }
        *self = next;
        queued.directives.append(&mut directives);
    }

    fn apply(&mut self, mount: &QueuedMount) -> Result<Vec<Directive>, MountError> {
        let mut directives = match &mount.op {
            MountOp::Mount(options) => self.mount_named(&mount.skill, options)?,
            MountOp::Unmount => self.unmount_named(&mount.skill)?,
        };
        for directive in &mut directives {
            if let Directive::RegisterAction { origin, .. }
            | Directive::DeregisterAction { origin, .. } = directive
            {
                origin.cause.clone_from(&mount.origin.cause);
            }
        }
        Ok(directives)
    }
}

/// Applies the mounts that an action or hook of the agent has queued.
#[cold]
pub(crate) fn apply_mounts<G: Agent>(agent: &mut G, queued: &mut QueuedEffects) {
    if let Some(mounted) = G::__mounted_mut(agent.__parts_mut().0) {
        return mounted.apply_mounts(queued);
    }
    for mount in queued.take_mounts() {
        let message = MountError::mounts_none::<G>(&mount.skill).to_string();
        queued.directives.push(refused(message, mount.origin));
    }
}

fn refused(message: String, origin: Origin) -> Directive {
    Directive::Error { message, origin }
}
