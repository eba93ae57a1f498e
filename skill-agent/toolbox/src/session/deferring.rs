//! Methods of [`ToolSession`] for a chat. Its model loads deferred groups of tools.

use super::ToolSession;

impl ToolSession {
    /// Makes the tool `skill` load deferred groups, whose tools cannot be called before.
    #[doc(hidden)]
    #[must_use]
    pub fn deferring(mut self) -> Self {
        self.inner.defers = true;
        self
    }

    /// Sets which groups the model has loaded. A load counts only when the chat has recorded it.
    #[doc(hidden)]
    pub fn set_loaded(&self, groups: Vec<String>) {
        self.inner.state().loaded = groups;
    }
}
