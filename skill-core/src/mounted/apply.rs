//! Applying the mounts that an action or hook queued.

use super::{MountError, Mounted};
use crate::context::{MountOp, QueuedEffects, QueuedMount};
use crate::{Directive, Origin};

/// Why queued mounts were not applied.
#[derive(Debug)]
pub(crate) struct MountFailure {
    pub(crate) error: MountError,
    /// Of the mount that failed.
    pub(crate) origin: Origin,
}

impl MountFailure {
    /// The directive that reports the failure.
    pub(crate) fn into_directive(self) -> Directive {
        Directive::Error {
            message: self.error.to_string(),
            origin: self.origin,
        }
    }
}

impl Mounted {
    /// Applies all queued mounts, or none of them and queues a [`Directive::Error`] with the reason.
    pub(crate) fn apply_mounts_or_report(&mut self, queued: &mut QueuedEffects) {
        if let Err(failure) = self.apply_mounts(queued) {
            queued.directives.push(failure.into_directive());
        }
    }

    /// Applies all queued mounts, or none of them.
    pub(crate) fn apply_mounts(
        &mut self,
        queued: &mut QueuedEffects,
    ) -> Result<(), Box<MountFailure>> {
        if !queued.has_mounts() {
            return Ok(());
        }
        let mut next = self.clone();
        let mut directives = Vec::new();
        for mount in queued.take_mounts() {
            match next.apply(&mount) {
                Ok(done) => directives.extend(done),
                Err(error) => {
                    let origin = mount.origin;
                    return Err(Box::new(MountFailure { error, origin }));
                }
            }
        }
        *self = next;
        queued.directives.append(&mut directives);
        Ok(())
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
