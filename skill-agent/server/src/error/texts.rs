//! Parts of messages that several errors share.

use super::Applied;
use crate::lifecycle::stop_reason::StopReason;
use std::borrow::Cow;
use std::time::Duration;

/// Returns the end of a message that says whether the command was applied.
pub(super) fn suffix(applied: Applied, has_key: bool) -> &'static str {
    match (applied, has_key) {
        (Applied::No, _) => "; nothing was applied",
        (Applied::Yes, _) => "; the command was applied",
        (Applied::Unknown, true) => "; send the command again with the same key",
        (Applied::Unknown, false) => "; the command may have been applied",
    }
}

/// Formats the reason for a denial. The reason may be empty, because a person need not give one.
pub fn with_reason(reason: &str) -> String {
    if reason.is_empty() {
        String::new()
    } else {
        format!(": {reason}")
    }
}

/// Formats the reason for a stop. For a plain stop, returns an empty string.
pub(crate) fn because(reason: Option<&StopReason>) -> String {
    match reason {
        None | Some(StopReason::Stopped) => String::new(),
        Some(reason) => format!(": {reason}"),
    }
}

/// Returns the beginning of a message about a deadline or time limit that has passed.
pub(super) fn passed(exceeded: &Option<(Cow<'static, str>, Duration)>) -> String {
    match exceeded {
        Some((action, limit)) => {
            format!("`{action}` took longer than the `time_limit` of {limit:?}")
        }
        None => "the deadline has passed".to_owned(),
    }
}

/// Formats a panic of user code. If an action blocks its thread to wait, tokio panics. tokio's advice does not fix the action, so
/// the message adds more.
pub(super) fn panicked(action: Option<&str>, message: &str) -> String {
    let code = action.map_or_else(
        || "the code of the agent".to_owned(),
        |action| format!("`{action}`"),
    );
    if action.is_some() && message.contains(" from within a runtime") {
        let message = message.trim_end_matches('.');
        format!(
            "{code} panicked: {message}; in an action, wait with `.await`: an `async fn` under `#[action]`"
        )
    } else {
        format!("{code} panicked: {message}")
    }
}
