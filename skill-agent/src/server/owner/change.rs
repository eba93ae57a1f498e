//! Changes of the state that no action makes.

use super::{Finished, Owner};
use crate::server::ServeError;
use crate::server::ask::Asked;
use crate::server::panics::catch;
use crate::store::RecordKind;
use serde_json::Value;
use skill_core::process::{self, Transaction};
use skill_core::{Agent, MountError, StateError};

impl<G: Agent> Owner<G> {
    /// Lays a partial state over the present one.
    pub(crate) fn set(&mut self, patch: &Value, asked: Asked<(), StateError>) {
        self.change(RecordKind::Set, asked, |transaction| {
            // whatever keys the document has: every state can be put back
            transaction.save_all();
            let before = process::registrations(transaction.agent());
            transaction.agent().set(patch)?;
            // skills that the state names are mounted, and their routes come with the registrations
            let mut new = process::registrations(transaction.agent());
            new.retain(|registration| !before.contains(registration));
            transaction.directives().append(&mut new);
            Ok(())
        });
    }

    /// Mounts a skill with options, or unmounts one.
    pub(crate) fn mount_named(
        &mut self,
        skill: &str,
        options: Option<&Value>,
        asked: Asked<(), MountError>,
    ) {
        let kind = match options {
            Some(_) => RecordKind::Mounted,
            None => RecordKind::Unmounted,
        };
        self.change(kind, asked, |transaction| transaction.mount(skill, options));
    }

    fn change<E: Send + 'static>(
        &mut self,
        kind: RecordKind,
        asked: Asked<(), E>,
        change: impl FnOnce(&mut Transaction<'_, G>) -> Result<(), E>,
    ) {
        if !asked.is_wanted() {
            return;
        }
        let mut transaction = Transaction::begin(&mut self.agent);
        let error = match catch(|| change(&mut transaction)) {
            Ok(Ok(())) if asked.apply() => None,
            Ok(Ok(())) => Some(ServeError::Deadline { applied: false }),
            Ok(Err(error)) => Some(ServeError::Action(error)),
            Err(message) => Some(ServeError::Panicked { message }),
        };
        if let Some(error) = error {
            drop(transaction);
            return asked.tell(Err(self.failed(error)));
        }
        let (saved, directives) = transaction.commit();
        let stamp = self.stamp();
        let mut finished = Finished::new(kind, stamp.id);
        (finished.saved, finished.directives) = (saved, directives);
        self.finish(finished, move |owner, kept| match kept {
            Ok(()) => asked.tell_by(|| owner.now(), Ok(())),
            Err(error) => asked.tell(Err(ServeError::Store(error))),
        });
    }
}
