//! State changes without an action: `set` and mount operations.

use crate::error::ServeError;
use crate::journal::JournalEntry;
use crate::mailbox::responder::Responder;
use crate::owner::Owner;
use crate::owner::call::command::Executed;
use crate::panics::catch;
use serde_json::Value;
use skill_agent_store::RecordKind;
use skill_core::process::{self, MountOp, Transaction};
use skill_core::{Agent, MountError, StateError};

impl<G: Agent> Owner<G> {
    /// Merges a partial state into the agent's state.
    pub(crate) fn set(&mut self, patch: &Value, responder: Responder<(), StateError>) {
        self.change(RecordKind::Set, responder, |transaction| {
            // The patch may change any skill.
            transaction.save_all();
            let before = process::registrations(transaction.agent());
            transaction.agent().set(patch)?;
            // `set` mounts the skills that the patch names. Registrations add their routes.
            let mut new = process::registrations(transaction.agent());
            new.retain(|registration| !before.contains(registration));
            transaction.directives().append(&mut new);
            Ok(())
        });
    }

    /// Performs a mount operation.
    pub(crate) fn change_mounted(&mut self, op: &MountOp, responder: Responder<(), MountError>) {
        let kind = match op {
            MountOp::Unmount { .. } | MountOp::Disable { .. } => RecordKind::Unmounted,
            MountOp::Mount { .. }
            | MountOp::MountAll { .. }
            | MountOp::Replace { .. }
            | MountOp::Enable { .. } => RecordKind::Mounted,
        };
        self.change(kind, responder, |transaction| transaction.mount(op));
    }

    fn change<E: Send + 'static>(
        &mut self,
        kind: RecordKind,
        responder: Responder<(), E>,
        change: impl FnOnce(&mut Transaction<'_, G>) -> Result<(), E>,
    ) {
        if !responder.is_wanted() {
            return;
        }
        let mut transaction = Transaction::begin(&mut self.agent);
        let error = match catch(|| change(&mut transaction)) {
            Ok(Ok(())) => None,
            Ok(Err(error)) => Some(ServeError::Action(error)),
            Err(message) => Some(ServeError::panicked(None, message)),
        };
        if let Some(error) = error {
            drop(transaction);
            return self.respond_with_error(responder, error);
        }
        let (saved, directives) = transaction.commit();
        let mut entry = JournalEntry::new(kind, String::new());
        entry.directives = directives;
        let executed = Executed {
            output: (),
            saved,
            entry,
            meta: Some(self.meta()),
        };
        self.complete(executed, true, responder);
    }
}
