//! Paths of values in a document, written as in code: `stats.samples[3]`.

pub use skill_agent_grammar::join;
pub use skill_agent_grammar::shorten;
use skill_agent_grammar::{LONGEST_KEY, push_key};
use std::borrow::Cow;
use std::collections::HashSet;

/// One step down from a value to one of its parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    Key(Cow<'static, str>),
    Index(usize),
}

/// The steps from a document's root to one of its values.
pub(crate) type Path = Vec<Step>;

/// The paths of the structs reachable from the root through struct fields alone.
pub(crate) type StructPaths = HashSet<Path>;

/// A path that lives on the stack during a read, so that a read without errors allocates nothing.
#[derive(Clone, Copy)]
pub(crate) enum PathNode<'a> {
    Root,
    Key(&'a PathNode<'a>, &'a str),
    Index(&'a PathNode<'a>, usize),
}

impl PathNode<'_> {
    pub(crate) fn to_path(self) -> Path {
        let mut path = Path::new();
        let mut node = self;
        loop {
            node = match node {
                PathNode::Root => break,
                PathNode::Key(parent, key) => {
                    path.push(Step::Key(Cow::Owned(key.to_owned())));
                    *parent
                }
                PathNode::Index(parent, index) => {
                    path.push(Step::Index(index));
                    *parent
                }
            };
        }
        path.reverse();
        path
    }
}

/// Joins the path `at` and the path `path` below it. Either may be empty.
pub fn prefixed(at: &str, path: &str) -> String {
    let dot = if at.is_empty() || path.is_empty() || path.starts_with('[') {
        ""
    } else {
        "."
    };
    format!("{at}{dot}{path}")
}

/// Writes `path` below the path `at`, which may be empty.
pub(crate) fn below(at: &str, path: &[Step]) -> String {
    let mut text = at.to_owned();
    for step in path {
        match step {
            Step::Key(key) => push_key(&mut text, key),
            Step::Index(index) => text.push_str(&format!("[{index}]")),
        }
    }
    text
}

/// The maximum number of characters of a signal type in a message.
const LONGEST_TYPE: usize = 200;

/// Shortens a signal type for a message. Senders choose the types, and may send a megabyte.
pub fn shorten_type(ty: &str) -> Cow<'_, str> {
    shorten(ty, LONGEST_TYPE)
}

/// Shortens a name for a message. Callers choose the names and keys, and may send a megabyte.
pub fn shorten_name(name: &str) -> Cow<'_, str> {
    shorten(name, LONGEST_KEY)
}
