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

/// A limit of what a command may lead to; see [`ServeError::Limit`](crate::ServeError::Limit).
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
}

impl Limit {
    pub(crate) fn max(self) -> usize {
        match self {
            Self::Directives => MAX_DIRECTIVES,
            Self::FollowUps => MAX_FOLLOW_UPS,
            Self::Schedules => MAX_SCHEDULES,
            Self::Chain => MAX_HOPS as usize,
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
        }
    }
}
