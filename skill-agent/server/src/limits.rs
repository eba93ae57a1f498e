//! Limits on the consequences of a command.

use std::time::Duration;

/// The maximum number of directives that one command may queue.
pub const MAX_DIRECTIVES: usize = 1_000;

/// The maximum number of follow-ups of one cause: `Run` directives, looped-back signals and schedules without a delay, from all
/// commands of the chain. A schedule with a delay starts a new cause.
pub const MAX_FOLLOW_UPS: usize = 10_000;

/// The maximum number of waiting scheduled signals.
pub const MAX_SCHEDULES: usize = 100_000;

/// The maximum number of hops in a chain. A hop leads from one command to the next, through a `Run` or a looped-back signal.
pub const MAX_HOPS: u32 = 32;

/// The maximum number of idempotency keys of calls within 24 hours. Older keys are kept while they are among the newest 100,000.
pub const MAX_KEYS: usize = 1_000_000;

/// How long a held key is kept if it is not released.
pub const HELD_TIME: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// The maximum number of held keys.
pub(crate) const MAX_HELD_KEYS: usize = 100_000;

/// The limit on the total size of the outputs of held keys, in bytes. At this size, the server accepts no further held keys.
pub(crate) const MAX_HELD_BYTES: usize = 64 << 20;

/// The maximum length of an idempotency key, and of a signal's source or id, in bytes.
pub const MAX_KEY_BYTES: usize = 1 << 10;

/// A limit on a command or its consequences; see [`ServeError::Limit`](crate::ServeError::Limit).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// The number of directives of one command, at most [`MAX_DIRECTIVES`].
    Directives,
    /// The number of follow-ups of one cause, at most [`MAX_FOLLOW_UPS`].
    FollowUps,
    /// The number of scheduled signals that are waiting, at most [`MAX_SCHEDULES`].
    Schedules,
    /// The number of commands that follow from each other, at most [`MAX_HOPS`].
    Chain,
    /// The number of idempotency keys of calls, at most [`MAX_KEYS`] in 24 hours.
    Keys,
    /// The number of idempotency keys of calls by models, MCP clients and documents, at most half of [`MAX_KEYS`] in 24 hours.
    ForeignKeys,
    /// The number of calls of durable conversations whose results are not recorded yet, at most 100,000. No further calls are
    /// accepted once their outputs reach 64 MiB.
    HeldKeys,
    /// The length of a call's idempotency key, at most [`MAX_KEY_BYTES`].
    KeyBytes,
    /// The length of a signal's source and of its id, each at most [`MAX_KEY_BYTES`].
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
            Self::HeldKeys => MAX_HELD_KEYS,
            Self::KeyBytes | Self::SignalIdBytes => MAX_KEY_BYTES,
        }
    }

    /// Returns the beginning of a message about a command that exceeds the limit.
    pub(crate) fn exceeded(self, max: usize) -> String {
        match self {
            Self::Directives => format!("the command queued more than {max} directives"),
            Self::FollowUps => format!(
                "the command and those before it, which all follow from one cause, queued more than {max} follow-ups; to continue for longer, schedule with a delay, such as `cx.schedule(Duration::from_millis(100), signal)`, which begins a new cause"
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
            Self::HeldKeys => format!(
                "durable conversations hold {max} calls, or {} MiB of outputs, and have not recorded their results; resume conversations that were interrupted",
                MAX_HELD_BYTES >> 20
            ),
            Self::KeyBytes => format!("the idempotency key has more than {max} bytes"),
            Self::SignalIdBytes => {
                format!("the source or the id of the signal has more than {max} bytes")
            }
        }
    }
}
