//! A progress line on standard error for long runs. It appears only on a terminal, and is removed at the end.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// The delay before the first progress line.
const DELAY: Duration = Duration::from_millis(400);
const INTERVAL: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(crate) struct Progress {
    /// The earliest time of the next update, or `None` if standard error is not a terminal.
    next: Option<Instant>,
    shown: bool,
}

impl Progress {
    pub(crate) fn new() -> Self {
        let seen = io::stderr().is_terminal();
        Self {
            next: seen.then(|| Instant::now() + DELAY),
            shown: false,
        }
    }

    /// Updates the line if enough time has passed.
    pub(crate) fn update(&mut self, line: impl FnOnce() -> String) {
        let now = Instant::now();
        if self.next.is_some_and(|next| next <= now) {
            // it does no harm if a progress line is lost
            let _ = write!(io::stderr().lock(), "\r\x1b[K{}", line());
            self.next = Some(now + INTERVAL);
            self.shown = true;
        }
    }

    /// Removes the line.
    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            let _ = write!(io::stderr().lock(), "\r\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
