//! The limits of what a command may lead to.

/// The most directives that one command may queue.
pub const MAX_DIRECTIVES: usize = 1_000;

/// The most follow-ups of one cause: `Run` directives, looped-back signals and schedules without delay, queued by the first
/// command of a chain and by all commands that follow from it. A schedule with a delay begins a new cause.
pub const MAX_FOLLOW_UPS: usize = 10_000;

/// The most scheduled signals that may wait.
pub const MAX_SCHEDULES: usize = 100_000;

/// The longest chain of commands that follow from one another, by `Run` and by looped-back signals.
pub const MAX_HOPS: u32 = 32;

/// The most idempotency keys of calls within 24 hours. After that, the newest 100,000 are kept.
pub const MAX_KEYS: usize = 1_000_000;

/// The longest idempotency key, and the longest source and id of a signal, in bytes.
pub const MAX_KEY_BYTES: usize = 1 << 10;

/// A limit of a command, and of what it may lead to; see [`ServeError::Limit`](crate::ServeError::Limit).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// The directives of one command, at most [`MAX_DIRECTIVES`].
    Directives,
    /// The follow-ups of one cause, at most [`MAX_FOLLOW_UPS`].
    FollowUps,
    /// The scheduled signals that wait, at most [`MAX_SCHEDULES`].
    Schedules,
    /// The commands that follow from one another, at most [`MAX_HOPS`].
    Chain,
    /// The idempotency keys of calls, at most [`MAX_KEYS`] in 24 hours.
    Keys,
    /// The idempotency keys of calls of models, MCP clients and documents, at most half of [`MAX_KEYS`] in 24 hours.
    ForeignKeys,
    /// The idempotency key of a call, of at most [`MAX_KEY_BYTES`].
    KeyBytes,
    /// The source and the id of a signal, each of at most [`MAX_KEY_BYTES`].
    SignalIdBytes,
}

impl Limit {
    pub(crate) fn max(self) -> usize {
        match self {
            Self::Directives => MAX_DIRECTIVES,
            Self::FollowUps => MAX_FOLLOW_UPS,
            Self::Schedules => MAX_SCHEDULES,
            Self::Chain => MAX_HOPS as usize,
            Self::Keys => MAX_KEYS,
            Self::ForeignKeys => MAX_KEYS / 2,
            Self::KeyBytes | Self::SignalIdBytes => MAX_KEY_BYTES,
        }
    }

    /// The beginning of the message about a command that exceeds the limit.
    pub(crate) fn exceeded(self, max: usize) -> String {
        match self {
            Self::Directives => format!("the command queued more than {max} directives"),
            Self::FollowUps => format!(
                "the command and those before it, which all follow from one cause, queued more than {max} follow-ups"
            ),
            Self::Schedules => {
                format!("with the command, more than {max} scheduled signals would be waiting")
            }
            Self::Chain => {
                format!("a chain of more than {max} commands, each the cause of the next, was cut")
            }
            Self::Keys => {
                format!(
                    "{max} idempotency keys were used in the last 24 hours, and there is no room for another one; call without a key, or try again later"
                )
            }
            Self::ForeignKeys => format!(
                "models, MCP clients and documents used {max} idempotency keys in the last 24 hours, and have no room for another one; call without a key, or try again later"
            ),
            Self::KeyBytes => format!("the idempotency key has more than {max} bytes"),
            Self::SignalIdBytes => {
                format!("the source or the id of the signal has more than {max} bytes")
            }
        }
    }
}
