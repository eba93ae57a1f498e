//! Checks the path of a bundled file. The path may come from a model, so only plain names are allowed.

use std::fmt;

/// The error for a path that is not valid for a bundled file.
#[non_exhaustive]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PathProblem {
    /// The path is empty or has an empty component, such as `a//b`.
    Empty,
    /// The path starts at the root, or with a drive.
    Absolute,
    /// A component is `.` or `..`.
    Dots,
    /// The path contains `\`.
    Backslash,
    /// The path contains a NUL byte.
    Nul,
    /// A component starts with `.`, such as `.git/config` or `.env`.
    Hidden,
    /// The path names the document itself, which [`Catalog::read`](super::Catalog::read) returns.
    Document,
    /// The path has more components than the dialect allows.
    TooDeep,
}

impl fmt::Display for PathProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "it has an empty part",
            Self::Absolute => "it is absolute, and paths begin at the folder of the document",
            Self::Dots => "it has a part `.` or `..`",
            Self::Backslash => "it has a `\\`; write `/`",
            Self::Nul => "it has a zero byte",
            Self::Hidden => "a part of it begins with `.`, and hidden files are not served",
            Self::Document => "it is the document itself",
            Self::TooDeep => "it has too many parts",
        })
    }
}

/// Splits a path below a document's folder into components. `document` is the name of the document's own file.
///
/// # Errors
/// Returns the first mistake in the path.
pub fn parts<'a>(path: &'a str, document: &str, depth: usize) -> Result<Vec<&'a str>, PathProblem> {
    if path.contains('\0') {
        return Err(PathProblem::Nul);
    }
    let drive = matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic());
    // on Windows, `a.txt:b` is an alternate stream of the file `a.txt`
    if path.starts_with(['/', '\\']) || drive || (cfg!(windows) && path.contains(':')) {
        return Err(PathProblem::Absolute);
    }
    if path.contains('\\') {
        return Err(PathProblem::Backslash);
    }
    let parts: Vec<&str> = path.split('/').collect();
    for part in &parts {
        match *part {
            "" => return Err(PathProblem::Empty),
            "." | ".." => return Err(PathProblem::Dots),
            part if part.starts_with('.') => return Err(PathProblem::Hidden),
            _ => {}
        }
    }
    match parts[..] {
        // some file systems ignore case
        [part] if part.eq_ignore_ascii_case(document) => Err(PathProblem::Document),
        _ if parts.len() > depth + 1 => Err(PathProblem::TooDeep),
        _ => Ok(parts),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_names_and_slashes() {
        let parts = |path| parts(path, "SKILL.md", 2);
        assert_eq!(parts("scripts/a b.py"), Ok(vec!["scripts", "a b.py"]));
        assert_eq!(parts("a/SKILL.md"), Ok(vec!["a", "SKILL.md"]));
        assert_eq!(parts("a/b/c"), Ok(vec!["a", "b", "c"]));
        for (path, problem) in [
            ("", PathProblem::Empty),
            ("a//b", PathProblem::Empty),
            ("a/", PathProblem::Empty),
            ("/etc/passwd", PathProblem::Absolute),
            ("\\\\host\\x", PathProblem::Absolute),
            ("C:\\x", PathProblem::Absolute),
            ("c:x", PathProblem::Absolute),
            ("../x", PathProblem::Dots),
            ("a/../../x", PathProblem::Dots),
            ("./a", PathProblem::Dots),
            ("a\\..\\x", PathProblem::Backslash),
            ("a\0", PathProblem::Nul),
            (".env", PathProblem::Hidden),
            ("a/.git/config", PathProblem::Hidden),
            ("skill.MD", PathProblem::Document),
            ("a/b/c/d", PathProblem::TooDeep),
        ] {
            assert_eq!(parts(path), Err(problem), "{path:?}");
        }
    }
}
