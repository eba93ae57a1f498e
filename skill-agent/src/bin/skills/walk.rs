//! The documents that a path of the command line stands for.

use skill_agent::manifest::__private::inside;
use skill_agent::manifest::{Code, Diagnostic, Dialect, Links, Severity};
use std::collections::BTreeSet;
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

/// So many names are read to see whether a link leads to documents.
const MOST: usize = 10_000;

/// What stands in the place of a document.
#[derive(Debug)]
pub(crate) enum Found {
    /// A file, which is there.
    Document(PathBuf),
    /// A path without a document, and why.
    Wrong(PathBuf, Diagnostic),
}

/// Goes through a path: a document, the folder of one, or a folder of many, sorted by name. A link below it is followed where
/// the dialect says so, and told where it leads to documents that a loader would refuse; the path itself may be one. One folder
/// is listed at a time, so that it takes little memory, and it does not recurse.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    dialect: &'a Dialect,
    root: Option<PathBuf>,
    /// What comes next is last.
    pending: Vec<Next>,
    /// Folders that have been entered, below the root, where links are followed: they may lead to one twice.
    seen: BTreeSet<PathBuf>,
    any: bool,
}

#[derive(Debug)]
enum Next {
    Folder(Place),
    Link(PathBuf),
    Found(Found),
}

#[derive(Debug)]
struct Place {
    path: PathBuf,
    /// Whether it is, or is in, the folder of a document: loaders look for no others there, and links in it are its own matter.
    is_in_document: bool,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(path: &Path, dialect: &'a Dialect) -> Self {
        let path = path.to_owned();
        let (root, next) = match fs::metadata(&path) {
            Ok(it) if it.is_dir() => (Some(path.clone()), Next::Folder(Place::new(path))),
            Ok(it) if it.is_file() => (None, Next::Found(Found::Document(path))),
            Ok(_) => (None, Next::Found(no_file(path, OTHER))),
            Err(error) => (None, Next::Found(unreadable(path, &error))),
        };
        Self {
            dialect,
            root,
            pending: vec![next],
            seen: BTreeSet::new(),
            any: false,
        }
    }

    /// Its document comes first, then the folders below.
    fn enter(&mut self, place: Place) -> io::Result<()> {
        let folder = place.path;
        let mut document: Option<(usize, OsString, FileType)> = None;
        let mut below: Vec<(OsString, FileType)> = Vec::new();
        for entry in fs::read_dir(&folder)? {
            let entry = entry?;
            let (name, kind) = (entry.file_name(), entry.file_type()?);
            if let Some(rank) = rank(&name, self.dialect) {
                let first = document.as_ref().map(|(rank, name, _)| (*rank, name));
                if first.is_none_or(|first| (rank, &name) < first) {
                    document = Some((rank, name, kind));
                }
            } else if (kind.is_dir() || kind.is_symlink()) && !is_skipped(&name) {
                below.push((name, kind));
            }
        }
        below.sort_unstable_by(|(a, _), (b, _)| b.cmp(a));
        let is_in_document = place.is_in_document || document.is_some();
        let below = below.into_iter().filter_map(|(name, kind)| {
            let path = folder.join(name);
            match kind.is_symlink() {
                true => (!is_in_document).then_some(Next::Link(path)),
                false => Some(Next::Folder(Place {
                    path,
                    is_in_document,
                })),
            }
        });
        self.pending.extend(below);
        if let Some((_, name, kind)) = document {
            let path = folder.join(name);
            let found = match kind.is_file() {
                true => Found::Document(path),
                false if kind.is_symlink() => refused(path, REFUSED),
                false if kind.is_dir() => no_file(path, "this is a folder, and no file"),
                false => no_file(path, OTHER),
            };
            self.pending.push(Next::Found(found));
        }
        Ok(())
    }

    /// Whether a folder is new, where it may be met twice.
    fn is_new(&mut self, folder: &Path) -> bool {
        let Some(root) = &self.root else {
            return true;
        };
        let below = folder.strip_prefix(root).unwrap_or(folder);
        self.dialect.links == Links::Refuse || self.seen.insert(below.to_owned())
    }

    /// What a link below the root comes to: the folder that it leads to, or something to tell.
    fn link(&self, link: PathBuf) -> Option<Next> {
        let why = match (self.dialect.links, &self.root) {
            (Links::Inside, Some(root)) => {
                let target = inside(root, link.strip_prefix(root).unwrap_or(&link));
                if let Some(target) = target {
                    return Some(Next::Folder(Place::new(root.join(target))));
                }
                LEADS_OUT
            }
            _ => REFUSED,
        };
        let told = self.has_documents(&link, 1, &mut { MOST });
        told.then(|| Next::Found(refused(link, why)))
    }

    /// Whether a folder is that of a document, or holds such folders, so many levels deep. Nothing is opened but folders.
    fn has_documents(&self, folder: &Path, levels: usize, left: &mut usize) -> bool {
        let Ok(entries) = fs::read_dir(folder) else {
            return false;
        };
        let mut below = Vec::new();
        for entry in entries.flatten() {
            let Some(less) = left.checked_sub(1) else {
                return false;
            };
            *left = less;
            let name = entry.file_name();
            if rank(&name, self.dialect).is_some() {
                return true;
            }
            let is_folder = entry.file_type().is_ok_and(|it| it.is_dir());
            if levels > 0 && is_folder && !is_skipped(&name) {
                below.push(folder.join(name));
            }
        }
        let mut below = below.iter();
        below.any(|it| self.has_documents(it, levels - 1, left))
    }
}

/// How a name stands among those of documents; the first is the one that counts.
pub(crate) fn rank(name: &OsStr, dialect: &Dialect) -> Option<usize> {
    let known = dialect.file_names;
    let other = || known.iter().any(|it| name.eq_ignore_ascii_case(it));
    let rank = known.iter().position(|it| name == *it);
    rank.or_else(|| (!dialect.file_case && other()).then_some(known.len()))
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
                Next::Link(link) => self.pending.extend(self.link(link)),
                Next::Folder(place) => {
                    if !self.is_new(&place.path) {
                        continue;
                    }
                    let path = place.path.clone();
                    if let Err(error) = self.enter(place) {
                        self.any = true;
                        return Some(unreadable(path, &error));
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

impl Place {
    fn new(path: PathBuf) -> Self {
        Self {
            path,
            is_in_document: false,
        }
    }
}

fn is_skipped(name: &OsStr) -> bool {
    SKIPPED.iter().any(|it| name == *it)
}

fn wrong(path: PathBuf, code: Code, message: impl Into<String>) -> Found {
    Found::Wrong(path, Diagnostic::new(code, Severity::Error, message))
}

const REFUSED: &str = "this is a link, and links are not followed";
const LEADS_OUT: &str =
    "this is a link out of the folder that is looked through, and such links are not followed";

/// As a loader refuses it.
fn refused(path: PathBuf, why: &str) -> Found {
    let told = Diagnostic::new(Code::LinkRefused, Severity::Error, why);
    let help = "loaders refuse it too: put what it leads to in its place";
    Found::Wrong(path, told.help(help))
}

const OTHER: &str = "this is no regular file";

fn no_file(path: PathBuf, why: &str) -> Found {
    wrong(path, Code::Unreadable, why)
}

fn unreadable(path: PathBuf, error: &io::Error) -> Found {
    let message = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".to_owned(),
        _ => format!("it cannot be read: {error}"),
    };
    wrong(path, Code::Unreadable, message)
}
