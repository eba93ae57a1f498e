//! The request for which a selection is made.

use std::borrow::Cow;

/// The maximum length of the part of a request that is searched for matches, in bytes. The rest is ignored.
pub const MAX_QUERY_BYTES: usize = 16 << 10;

/// The maximum number of paths in a request that are matched with globs. The others are ignored.
pub const MAX_QUERY_PATHS: usize = 256;

/// The maximum length in bytes of a path that is matched with globs. Longer paths are ignored.
pub const MAX_PATH_BYTES: usize = 4 << 10;

/// A user's request: its text and its files.
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
    /// The user's text. At most [`MAX_QUERY_BYTES`] are used.
    pub text: &'a str,
    /// The paths of the request's files, relative to the project, such as `src/main.rs`. At most [`MAX_QUERY_PATHS`] are used. A
    /// path that starts with `/` does not match any glob; make it relative with
    /// [`Path::strip_prefix`](std::path::Path::strip_prefix).
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

    /// Adds paths of the request's files, relative to the project. See [`paths`](Self#structfield.paths).
    #[must_use]
    pub fn paths<P: Into<Cow<'a, str>>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.paths.extend(paths.into_iter().map(Into::into));
        self
    }

    /// Returns the first path that cannot match any glob because of its form, such as an absolute path.
    pub(super) fn path_of_another_form(&self) -> Option<&str> {
        let is_of_another_form = |path: &&str| {
            let prefixes = ["/", "\\", "./", ".\\", "../", "..\\", "~/"];
            prefixes.iter().any(|prefix| path.starts_with(prefix))
                || matches!(path.as_bytes(), [_, b':', b'/' | b'\\', ..])
                || path.contains("://")
        };
        self.used_paths().find(is_of_another_form)
    }

    /// Returns the paths that are matched with globs.
    pub(super) fn used_paths(&self) -> impl Iterator<Item = &str> {
        let paths = self.paths.iter().map(|path| &**path);
        let short = paths.filter(|path| path.len() <= MAX_PATH_BYTES);
        short.take(MAX_QUERY_PATHS)
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
