//! Applying the mounts that an action or hook queued.

use super::{MountError, Mounted};
use crate::context::{MountOp, QueuedEffects, QueuedMount};
use crate::{Directive, Origin};

impl Mounted {
    /// Applies all queued mounts, or none of them and queues a [`Directive::Error`] with the reason.
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
                    let error = error_directive(error.to_string(), mount.origin);
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

/// The directive that reports why queued mounts were not applied.
pub(crate) fn error_directive(message: String, origin: Origin) -> Directive {
    Directive::Error { message, origin }
}
