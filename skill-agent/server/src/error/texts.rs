//! Parts of messages.

use super::Applied;
use crate::lifecycle::stop_reason::StopReason;
use std::borrow::Cow;
use std::time::Duration;

/// Returns the end of a message: whether the command was applied.
pub(super) fn suffix(applied: Applied, has_key: bool) -> &'static str {
    match (applied, has_key) {
        (Applied::No, _) => "; nothing was applied",
        (Applied::Yes, _) => "; the command was applied",
        (Applied::Unknown, true) => "; send the command again with the same key",
        (Applied::Unknown, false) => "; the command may have been applied",
    }
}

/// Formats the reason for a denial. A person may have given none.
pub fn with_reason(reason: &str) -> String {
    if reason.is_empty() {
        String::new()
    } else {
        format!(": {reason}")
    }
}

/// Formats the reason for a stop. A plain stop adds nothing to the message.
pub(crate) fn because(reason: Option<&StopReason>) -> String {
    match reason {
        None | Some(StopReason::Stopped) => String::new(),
        Some(reason) => format!(": {reason}"),
    }
}

/// Returns the beginning of a message about a passed deadline or time limit.
pub(super) fn passed(exceeded: &Option<(Cow<'static, str>, Duration)>) -> String {
    match exceeded {
        Some((action, limit)) => {
            format!("`{action}` took longer than the `time_limit` of {limit:?}")
        }
        None => "the deadline has passed".to_owned(),
    }
}
