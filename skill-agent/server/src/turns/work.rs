//! Work on kept turns.

use super::{TurnsError, TurnsRange, TurnsRestore, TurnsView};
use crate::mailbox::responder::Responder;
use std::convert::Infallible;
use std::sync::Weak;

/// Work on kept turns, which reads the log.
pub(crate) enum TurnsWork {
    /// Reads the marks of a conversation that is in use as long as the lease.
    Load(String, Weak<()>, Responder<(), Infallible>),
    View(TurnsRange, Responder<TurnsView, TurnsError>),
    Restore(Box<TurnsRestore>, Responder<(), TurnsError>),
}
