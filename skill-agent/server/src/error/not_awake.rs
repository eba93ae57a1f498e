//! Why an agent was not woken.

use super::{Applied, SendError, ServeError, StartError};
use skill_core::process::full_text;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// Why an agent was not woken.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub enum NotAwake {
    /// No place was free within this time.
    NoPlace(Duration),
    /// The server did not start.
    Start(Arc<StartError>),
    /// The agents have stopped.
    Stopped,
}

impl From<NotAwake> for SendError {
    fn from(error: NotAwake) -> Self {
        match error {
            NotAwake::Stopped => Self::stopped(),
            NotAwake::Start(error) => Self::NotAwake {
                reason: full_text(&*error),
            },
            error @ NotAwake::NoPlace(_) => {
                let error = ServeError::<Infallible>::not_awake(error, Applied::No);
                let reason = error.to_string();
                Self::NotAwake { reason }
            }
        }
    }
}

impl<E> ServeError<E> {
    /// Returns the error for an agent that was not woken.
    pub(crate) fn not_awake(error: NotAwake, applied: Applied) -> Self {
        match error {
            NotAwake::NoPlace(within) => Self::NoPlace { within },
            NotAwake::Start(error) => Self::NotStarted(error),
            NotAwake::Stopped => Self::stopped(applied),
        }
    }
}
