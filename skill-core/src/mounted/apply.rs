//! Performs mount operations, which an action or hook has queued or a server requests.

use super::{MountError, Mounted};
use crate::context::{MountOp, QueuedEffects, QueuedMount};
use crate::{Directive, Origin};

/// A queued mount that failed.
#[derive(Debug)]
pub(crate) struct MountFailure {
    pub(crate) error: MountError,
    /// The origin of the failed mount.
    pub(crate) origin: Origin,
}

impl MountFailure {
    /// Returns the directive that reports the failure.
    pub(crate) fn into_directive(self) -> Directive {
        Directive::Error {
            message: self.error.to_string(),
            origin: self.origin,
        }
    }
}

impl Mounted {
    /// Applies all queued mounts. If one fails, applies none and queues a [`Directive::Error`] with the reason.
    pub(crate) fn apply_mounts_or_report(&mut self, queued: &mut QueuedEffects) {
        if let Err(failure) = self.apply_mounts(queued) {
            queued.directives.push(failure.into_directive());
        }
    }

    /// Applies all queued mounts or none.
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
            let QueuedMount { op, origin } = mount;
            match next.apply_op(&op) {
                Ok(done) => directives.extend(with_cause(done, &origin)),
                Err(error) => return Err(Box::new(MountFailure { error, origin })),
            }
        }
        *self = next;
        queued.directives.append(&mut directives);
        Ok(())
    }

    /// Performs one mount operation.
    ///
    /// # Errors
    /// Returns the error of the corresponding method. Nothing has changed.
    pub(crate) fn apply_op(&mut self, op: &MountOp) -> Result<Vec<Directive>, MountError> {
        match op {
            MountOp::Mount { skill, options } => self.mount_named(skill, options),
            MountOp::MountAll { skills, options } => {
                self.mount_all_named(skills.iter().map(String::as_str), options)
            }
            MountOp::Replace { skill, options } => self.replace_named(skill, options),
            MountOp::Unmount { skill } => self.unmount_named(skill),
            MountOp::Enable { skill } => self.enable(skill),
            MountOp::Disable { skill } => self.disable(skill),
        }
    }
}

/// Sets the cause of registrations and deregistrations to the cause of the queued operation.
fn with_cause(mut directives: Vec<Directive>, of: &Origin) -> Vec<Directive> {
    for directive in &mut directives {
        if let Directive::RegisterAction { origin, .. }
        | Directive::DeregisterAction { origin, .. } = directive
        {
            origin.cause.clone_from(&of.cause);
        }
    }
    directives
}
