//! Methods of [`ToolSession`] for a chat, whose model loads deferred groups of tools.

use super::ToolSession;

impl ToolSession {
    /// Makes the session that of a chat: the tool `skill` loads deferred groups, and their tools cannot be called before.
    #[doc(hidden)]
    #[must_use]
    pub fn deferring(mut self) -> Self {
        self.inner.defers = true;
        self
    }

    /// Sets which groups the model has loaded. A load counts only when the chat has recorded it.
    #[doc(hidden)]
    pub fn set_loaded(&self, groups: Vec<String>) {
        let mut state = self.inner.state();
        state.loaded = groups;
        state.answered.clear();
    }

    /// Returns the groups whose loads were answered since the last call of [`set_loaded`](Self::set_loaded).
    #[doc(hidden)]
    pub fn answered_loads(&self) -> Vec<String> {
        self.inner.state().answered.clone()
    }
}
