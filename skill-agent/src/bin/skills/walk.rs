//! The documents that a path of the command line stands for.

use skill_agent::manifest::{Code, Diagnostic, Dialect, Severity};
use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

/// Folders without documents of their own: those of version control and of package managers.
const SKIPPED: &[&str] = &[
    ".git",
    ".hg",
    ".jj",
    ".svn",
    ".venv",
    "__pycache__",
    "node_modules",
];

/// What stands in the place of a document.
#[derive(Debug)]
pub(crate) enum Found {
    /// A file, which is there.
    Document(PathBuf),
    /// A path without a document, and why.
    Wrong(PathBuf, Diagnostic),
}

/// Goes through a path: a document, the folder of one, or a folder of many, sorted by name. Links are not followed, but for
/// the path itself. One folder is listed at a time, so that it takes little memory, and it does not recurse.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    dialect: &'a Dialect,
    root: Option<PathBuf>,
    /// What comes next is last.
    pending: Vec<Next>,
    any: bool,
}

#[derive(Debug)]
enum Next {
    Folder(PathBuf),
    Found(Found),
}

impl<'a> Walk<'a> {
    pub(crate) fn new(path: &Path, dialect: &'a Dialect) -> Self {
        let path = path.to_owned();
        let (root, next) = match fs::metadata(&path) {
            Ok(it) if it.is_dir() => (Some(path.clone()), Next::Folder(path)),
            Ok(it) if it.is_file() => (None, Next::Found(Found::Document(path))),
            Ok(it) => (None, Next::Found(no_file(path, it.file_type()))),
            Err(error) => (None, Next::Found(unreadable(path, &error))),
        };
        Self {
            dialect,
            root,
            pending: vec![next],
            any: false,
        }
    }

    /// Its document comes first, then the folders below.
    fn enter(&mut self, folder: PathBuf) -> io::Result<()> {
        let mut document: Option<(usize, OsString, FileType)> = None;
        let mut below: Vec<OsString> = Vec::new();
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let (name, kind) = (entry.file_name(), entry.file_type()?);
            if let Some(rank) = self.rank(&name) {
                let first = document.as_ref().map(|(rank, name, _)| (*rank, name));
                if first.is_none_or(|first| (rank, &name) < first) {
                    document = Some((rank, name, kind));
                }
            } else if kind.is_dir() && !is_skipped(&name) {
                below.push(name);
            }
        }
        below.sort_unstable_by(|a, b| b.cmp(a));
        let below = below.into_iter().map(|it| Next::Folder(folder.join(it)));
        self.pending.extend(below);
        if let Some((_, name, kind)) = document {
            let path = folder.join(name);
            let found = match kind.is_file() {
                true => Found::Document(path),
                false => no_file(path, kind),
            };
            self.pending.push(Next::Found(found));
        }
        Ok(())
    }

    /// How a name stands among those of documents; the first is the one that counts.
    fn rank(&self, name: &OsStr) -> Option<usize> {
        let known = self.dialect.file_names;
        let other = || known.iter().any(|it| name.eq_ignore_ascii_case(it));
        let rank = known.iter().position(|it| name == *it);
        rank.or_else(|| (!self.dialect.file_case && other()).then_some(known.len()))
    }
}

impl Iterator for Walk<'_> {
    type Item = Found;

    fn next(&mut self) -> Option<Found> {
        while let Some(next) = self.pending.pop() {
            match next {
                Next::Found(found) => {
                    self.any = true;
                    return Some(found);
                }
                Next::Folder(folder) => {
                    if let Err(error) = self.enter(folder.clone()) {
                        self.any = true;
                        return Some(unreadable(folder, &error));
                    }
                }
            }
        }
        // a folder that holds nothing is not what its caller meant
        let root = self.root.take().filter(|_| !self.any)?;
        let message = format!("there is no {} in this folder", self.dialect.file_names[0]);
        Some(wrong(root, Code::MissingSkillMd, message))
    }
}

fn is_skipped(name: &OsStr) -> bool {
    SKIPPED.iter().any(|it| name == *it)
}

fn wrong(path: PathBuf, code: Code, message: impl Into<String>) -> Found {
    Found::Wrong(path, Diagnostic::new(code, Severity::Error, message))
}

fn no_file(path: PathBuf, kind: FileType) -> Found {
    match kind {
        kind if kind.is_symlink() => {
            let message = "this is a link, and links are not followed";
            wrong(path, Code::LinkRefused, message)
        }
        _ => wrong(path, Code::Unreadable, "this is no file"),
    }
}

fn unreadable(path: PathBuf, error: &io::Error) -> Found {
    wrong(
        path,
        Code::Unreadable,
        format!("it cannot be read: {error}"),
    )
}
