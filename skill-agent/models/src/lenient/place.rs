//! The place of a value, kept on the stack, so that a path is built only for a repair.

use skill_agent_schema::join;

/// A value's place: the root, a key or an index.
pub(super) enum Place<'a> {
    Root,
    Key(&'a Self, &'a str),
    Index(&'a Self, usize),
}

impl Place<'_> {
    /// Returns the path, as written in errors.
    pub(super) fn path(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Key(parent, key) => join(&parent.path(), key),
            Self::Index(parent, index) => format!("{}[{index}]", parent.path()),
        }
    }
}
