//! The keys of running commands, and the repeated commands that wait for them.

use std::collections::HashMap;

/// The keys of running commands. Each key has a list of the repeated commands that wait for the running one. `C` is the type of a
/// waiting command.
pub(crate) struct RunningKeys<C> {
    /// The waiting commands, by key. The list is empty if no command waits for the key.
    waiting: HashMap<String, Vec<C>>,
    /// The number of commands in `waiting`.
    count: usize,
}

impl<C> Default for RunningKeys<C> {
    fn default() -> Self {
        Self {
            waiting: HashMap::new(),
            count: 0,
        }
    }
}

impl<C> RunningKeys<C> {
    /// Marks the command with this key as running, so that repeated commands wait for it.
    pub(crate) fn begin(&mut self, key: &str) {
        self.waiting.insert(key.to_owned(), Vec::new());
    }

    /// Returns whether the command with this key is running.
    pub(crate) fn contains(&self, key: &str) -> bool {
        self.waiting.contains_key(key)
    }

    /// Returns how many repeated commands are waiting.
    pub(crate) fn waiting(&self) -> usize {
        self.count
    }

    /// Adds a repeated command that waits for the running command with the same key.
    pub(crate) fn wait(&mut self, key: &str, repeated: C) {
        self.count += 1;
        self.waiting
            .entry(key.to_owned())
            .or_default()
            .push(repeated);
    }

    /// Ends the running command, and returns the repeated commands that have waited for it.
    pub(crate) fn end(&mut self, key: &str) -> Vec<C> {
        let ended = self.waiting.remove(key).unwrap_or_default();
        self.count -= ended.len();
        ended
    }
}
