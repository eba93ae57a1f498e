//! The place of a value, on the stack, so that a path is written for a repair only.

use skill_agent_schema::join;

/// The place of a value.
pub(super) enum Place<'a> {
    Root,
    Key(&'a Self, &'a str),
    Index(&'a Self, usize),
}

impl Place<'_> {
    /// The path, as in errors.
    pub(super) fn path(&self) -> String {
        match self {
            Self::Root => String::new(),
            Self::Key(parent, key) => join(&parent.path(), key),
            Self::Index(parent, index) => format!("{}[{index}]", parent.path()),
        }
    }
}
