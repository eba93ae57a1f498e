//! Searches for documents below a path from the command line.

use skill_agent_documents::__private::inside;
use skill_agent_documents::{Diagnostic, DiagnosticCode, Dialect, LinkPolicy, Severity};
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

/// The folders of version control systems and package managers, which do not contain the user's own documents.
const SKIPPED: &[&str] = &[
    ".git",
    ".hg",
    ".jj",
    ".svn",
    ".venv",
    "__pycache__",
    "node_modules",
];

/// The maximum number of names to read when checking whether a link leads to documents.
const MAX: usize = 10_000;

/// An item found by the walk.
#[derive(Debug)]
pub(crate) enum WalkItem {
    /// An existing document.
    Document(PathBuf),
    /// A path without a document, and the reason.
    Wrong(PathBuf, Diagnostic),
}

/// Walks a path, which may be a document, its folder, or a folder with many documents. Items are sorted by name. Links below the
/// path are followed if the dialect allows it. If it does not, links that lead to documents are reported, because a loader would
/// not follow them. The path itself may be a link. Lists one folder at a time and does not recurse, so memory use stays low.
#[derive(Debug)]
pub(crate) struct DocumentWalk<'a> {
    dialect: &'a Dialect,
    root: Option<PathBuf>,
    /// A stack of the pending items, with the next item last.
    pending: Vec<Pending>,
    /// The folders that were visited, relative to the root. If links are followed, this prevents visiting a folder twice.
    seen: BTreeSet<PathBuf>,
    any: bool,
}

#[derive(Debug)]
enum Pending {
    Folder(PendingFolder),
    Link(PathBuf),
    Item(WalkItem),
}

#[derive(Debug)]
struct PendingFolder {
    path: PathBuf,
    /// Whether the folder is a document's folder or inside one. Loaders do not look for other documents there, and ignore links.
    is_in_document: bool,
}

impl<'a> DocumentWalk<'a> {
    pub(crate) fn new(path: &Path, dialect: &'a Dialect) -> Self {
        let path = path.to_owned();
        let (root, next) = match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => (
                Some(path.clone()),
                Pending::Folder(PendingFolder::new(path)),
            ),
            Ok(metadata) if metadata.is_file() => (None, Pending::Item(WalkItem::Document(path))),
            Ok(_) => (None, Pending::Item(no_file(path, OTHER))),
            Err(error) => (None, Pending::Item(unreadable(path, &error))),
        };
        Self {
            dialect,
            root,
            pending: vec![next],
            seen: BTreeSet::new(),
            any: false,
        }
    }

    /// Lists a folder: first its document, then the folders in it.
    fn enter(&mut self, place: PendingFolder) -> io::Result<()> {
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
            if kind.is_symlink() {
                (!is_in_document).then_some(Pending::Link(path))
            } else {
                Some(Pending::Folder(PendingFolder {
                    path,
                    is_in_document,
                }))
            }
        });
        self.pending.extend(below);
        if let Some((_, name, kind)) = document {
            let path = folder.join(name);
            let found = if kind.is_file() {
                WalkItem::Document(path)
            } else if kind.is_symlink() {
                refused(path, REFUSED)
            } else if kind.is_dir() {
                no_file(path, "this is a folder, not a file")
            } else {
                no_file(path, OTHER)
            };
            self.pending.push(Pending::Item(found));
        }
        Ok(())
    }

    /// Returns whether the folder has not been visited before.
    fn is_new(&mut self, folder: &Path) -> bool {
        let Some(root) = &self.root else {
            return true;
        };
        let below = folder.strip_prefix(root).unwrap_or(folder);
        self.dialect.links == LinkPolicy::Refuse || self.seen.insert(below.to_owned())
    }

    /// Resolves a link below the root to its target folder, or to a diagnostic.
    fn link(&self, link: PathBuf) -> Option<Pending> {
        let why = match (self.dialect.links, &self.root) {
            (LinkPolicy::Inside, Some(root)) => {
                let target = inside(root, link.strip_prefix(root).unwrap_or(&link));
                if let Some(target) = target {
                    return Some(Pending::Folder(PendingFolder::new(root.join(target))));
                }
                LEADS_OUT
            }
            _ => REFUSED,
        };
        let reported = self.has_documents(&link, 1, &mut { MAX });
        reported.then(|| Pending::Item(refused(link, why)))
    }

    /// Returns whether a folder contains a document, either directly or up to `levels` folders deep. Opens folders, but no files.
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
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if levels > 0 && is_folder && !is_skipped(&name) {
                below.push(folder.join(name));
            }
        }
        let mut below = below.iter();
        below.any(|folder| self.has_documents(folder, levels - 1, left))
    }
}

/// Returns the priority of a file name for a document, or `None` if it is not such a name. The lowest number wins.
pub(crate) fn rank(name: &OsStr, dialect: &Dialect) -> Option<usize> {
    let known = dialect.file_names;
    let other = || known.iter().any(|known| name.eq_ignore_ascii_case(known));
    let rank = known.iter().position(|known| name == *known);
    rank.or_else(|| (!dialect.file_case && other()).then_some(known.len()))
}

impl Iterator for DocumentWalk<'_> {
    type Item = WalkItem;

    fn next(&mut self) -> Option<WalkItem> {
        while let Some(next) = self.pending.pop() {
            match next {
                Pending::Item(found) => {
                    self.any = true;
                    return Some(found);
                }
                Pending::Link(link) => self.pending.extend(self.link(link)),
                Pending::Folder(place) => {
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
        // a root without any documents is probably not what the caller meant
        let root = self.root.take().filter(|_| !self.any)?;
        let message = format!("there is no {} in this folder", self.dialect.file_names[0]);
        Some(wrong(root, DiagnosticCode::MissingSkillMd, message))
    }
}

impl PendingFolder {
    fn new(path: PathBuf) -> Self {
        Self {
            path,
            is_in_document: false,
        }
    }
}

/// Returns whether the path is free, so that neither a file nor a folder exists there.
pub(crate) fn is_missing(path: &Path) -> bool {
    let missing = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
    fs::metadata(path).is_err_and(|error| missing.contains(&error.kind()))
}

fn is_skipped(name: &OsStr) -> bool {
    SKIPPED.iter().any(|skipped| name == *skipped)
}

fn wrong(path: PathBuf, code: DiagnosticCode, message: impl Into<String>) -> WalkItem {
    WalkItem::Wrong(path, Diagnostic::new(code, Severity::Error, message))
}

const REFUSED: &str = "this is a link, and links are not followed";
const LEADS_OUT: &str =
    "this is a link out of the folder that is searched, and such links are not followed";

/// Returns the same diagnostic that a loader would.
fn refused(path: PathBuf, why: &str) -> WalkItem {
    let reported = Diagnostic::new(DiagnosticCode::LinkRefused, Severity::Error, why);
    let help = "loaders refuse it too: replace it with its target";
    WalkItem::Wrong(path, reported.help(help))
}

const OTHER: &str = "this is not a regular file";

fn no_file(path: PathBuf, why: &str) -> WalkItem {
    wrong(path, DiagnosticCode::Unreadable, why)
}

fn unreadable(path: PathBuf, error: &io::Error) -> WalkItem {
    let message = match error.kind() {
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
            "there is no such file or folder".to_owned()
        }
        _ => format!("it cannot be read: {error}"),
    };
    wrong(path, DiagnosticCode::Unreadable, message)
}
