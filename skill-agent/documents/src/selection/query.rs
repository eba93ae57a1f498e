//! The request that a selection is for.

use std::borrow::Cow;

/// The most bytes of a request that are compared with triggers and descriptions; the rest is not looked at.
pub const MAX_QUERY_BYTES: usize = 16 << 10;

/// The most paths of a request that are compared with globs; the others are not looked at.
pub const MAX_QUERY_PATHS: usize = 256;

/// The most bytes of a path that is compared with globs; a longer one is not looked at.
pub const MAX_PATH_BYTES: usize = 4 << 10;

/// A request of a user: its text, and the files it is about.
///
/// ```
/// use skill_agent::manifest::selection::Query;
///
/// let query = Query::new("Why does the build fail?").paths(["src/main.cpp"]);
/// assert_eq!(query.paths, ["src/main.cpp"]);
/// ```
#[non_exhaustive]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query<'a> {
    /// The text of the user. At most [`MAX_QUERY_BYTES`] are used.
    pub text: &'a str,
    /// The paths of the files at hand, relative to the project and separated by `/`. At most [`MAX_QUERY_PATHS`] are used.
    pub paths: Vec<Cow<'a, str>>,
}

impl<'a> Query<'a> {
    /// Creates a request without paths.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self {
            text,
            paths: Vec::new(),
        }
    }

    /// Adds paths of files at hand.
    #[must_use]
    pub fn paths<P: Into<Cow<'a, str>>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.paths.extend(paths.into_iter().map(Into::into));
        self
    }

    pub(super) fn used_text(&self) -> &'a str {
        &self.text[..self.text.floor_char_boundary(MAX_QUERY_BYTES)]
    }
}

impl<'a> From<&'a str> for Query<'a> {
    fn from(text: &'a str) -> Self {
        Self::new(text)
    }
}
