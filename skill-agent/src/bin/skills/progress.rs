//! A line on standard error that says how far a long run is. It is there on a terminal only, and leaves nothing behind.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

/// A short run shows none.
const AFTER: Duration = Duration::from_millis(400);
const BETWEEN: Duration = Duration::from_millis(100);

#[derive(Debug)]
pub(crate) struct Progress {
    /// When the line may be written next; `None` when nobody would see it.
    next: Option<Instant>,
    shown: bool,
}

impl Progress {
    pub(crate) fn new() -> Self {
        let seen = io::stderr().is_terminal();
        Self {
            next: seen.then(|| Instant::now() + AFTER),
            shown: false,
        }
    }

    /// Writes the line anew, when it is time to.
    pub(crate) fn tell(&mut self, line: impl FnOnce() -> String) {
        let now = Instant::now();
        if self.next.is_some_and(|next| next <= now) {
            // a line of progress that is lost is no loss
            let _ = write!(io::stderr().lock(), "\r\x1b[K{}", line());
            self.next = Some(now + BETWEEN);
            self.shown = true;
        }
    }

    /// Takes the line away.
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
