//! The place of a value. It is kept on the stack, and a path is built from it only for a repair.

use skill_agent_schema::join;

/// The place of a value: the root, a key of an object, or an index of a list.
pub(super) enum Place<'a> {
    Root,
    Key(&'a Self, &'a str),
    Index(&'a Self, usize),
}

impl Place<'_> {
    /// Returns the path in the form that errors use.
    pub(super) fn path(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Key(parent, key) => join(&parent.path(), key),
            Self::Index(parent, index) => format!("{}[{index}]", parent.path()),
        }
    }
}
