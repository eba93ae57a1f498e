//! Repeated commands that are waiting for the running command with the same key.

use super::UsedKeys;

impl<W> UsedKeys<W> {
    /// Marks the command of a key as running, so that repeated commands wait for it.
    pub(crate) fn begin(&mut self, key: &str) {
        self.waiting.insert(key.to_owned(), Vec::new());
    }

    /// Returns whether the command of a key is running.
    pub(crate) fn is_running(&self, key: &str) -> bool {
        self.waiting.contains_key(key)
    }

    /// Returns how many repeated commands are waiting.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting_count
    }

    /// Adds a repeated command that waits for the running command with the same key.
    pub(crate) fn wait(&mut self, key: &str, repeated: W) {
        self.waiting_count += 1;
        self.waiting
            .entry(key.to_owned())
            .or_default()
            .push(repeated);
    }

    /// Ends the running command, and returns the repeated commands that have waited for it.
    pub(crate) fn end(&mut self, key: &str) -> Vec<W> {
        let ended = self.waiting.remove(key).unwrap_or_default();
        self.waiting_count -= ended.len();
        ended
    }
}
