//! Opens folders component by component, so that a path cannot lead out of a folder. Links are not followed, only regular files
//! are opened, and a file's size is checked before it is read.

#[cfg(any(not(unix), test))]
mod portable;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub(crate) use portable::Folder;
#[cfg(unix)]
pub(crate) use unix::Folder;

use crate::DiagnosticCode;
use std::ffi::{OsStr, OsString};
use std::io::{self, Read};
use std::path::{Component, Path, PathBuf};

/// An item of a folder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct FolderItem {
    pub(crate) name: OsString,
    pub(crate) kind: ItemKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ItemKind {
    File,
    Folder,
    Link,
    /// A pipe, device or socket, which may block or have side effects when it is opened.
    Other,
}

/// The rule for files with more than one hard link. The contents of such a file may belong to a folder outside the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HardLinks {
    Allow,
    /// Rejects such files. This works only on Unix, because other systems do not report the number of links.
    Refuse,
}

/// The error for a folder or file that cannot be opened or read.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FolderError {
    #[error("it does not exist")]
    Missing,
    #[error("it is a symbolic link")]
    Link,
    #[error("it has several hard links, so it may belong to another folder")]
    HardLink,
    #[error("its name is not UTF-8")]
    NotUtf8,
    #[error("it is not a folder")]
    NotAFolder,
    #[error("it is not a regular file")]
    NotAFile,
    #[error("it has {bytes} bytes; at most {max} are allowed")]
    TooLarge { bytes: u64, max: usize },
    #[error("it has more than {max} files and folders")]
    TooMany { max: usize },
    #[error("it is more than {max} folders deep")]
    TooDeep { max: usize },
    #[error("the documents of its source bundle more than {max} files")]
    TooManyInAll { max: usize },
    #[error("the documents of its source bundle files of more than {max} bytes in total")]
    TooLargeInAll { max: usize },
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl FolderError {
    /// Returns the code of the diagnostic for the folder or file.
    pub(crate) fn code(&self) -> DiagnosticCode {
        match self {
            Self::Link | Self::HardLink => DiagnosticCode::LinkRefused,
            Self::TooLarge { .. }
            | Self::TooLargeInAll { .. }
            | Self::TooMany { .. }
            | Self::TooManyInAll { .. }
            | Self::TooDeep { .. } => DiagnosticCode::TooLarge,
            Self::Missing | Self::NotAFolder | Self::NotAFile | Self::NotUtf8 | Self::Io(_) => {
                DiagnosticCode::Unreadable
            }
        }
    }
}

impl Folder {
    /// Opens a folder below this one, at a path that must consist of names only.
    pub(crate) fn below(&self, path: &Path) -> Result<Self, FolderError> {
        let mut folder = self.try_clone()?;
        for part in path.components() {
            let Component::Normal(name) = part else {
                return Err(FolderError::Missing);
            };
            folder = folder.folder(name)?;
        }
        Ok(folder)
    }

    /// Opens a folder below this one, or the absolute target of a followed link.
    pub(crate) fn below_or_linked(&self, path: &Path) -> Result<Self, FolderError> {
        if path.is_absolute() {
            Self::open(path)
        } else {
            self.below(path)
        }
    }

    /// Checks that a regular file exists in this folder, without opening it.
    pub(crate) fn has_file(&self, name: &OsStr) -> Result<(), FolderError> {
        check_file(self.kind(name)?)
    }
}

fn check_file(kind: ItemKind) -> Result<(), FolderError> {
    match kind {
        ItemKind::File => Ok(()),
        ItemKind::Link => Err(FolderError::Link),
        ItemKind::Folder | ItemKind::Other => Err(FolderError::NotAFile),
    }
}

/// Resolves a link below a folder. Returns the target relative to `root` if it is a folder within `root`.
pub fn inside(root: &Path, link: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let target = root.join(link).canonicalize().ok()?;
    let below = target.strip_prefix(&root).ok()?;
    target.is_dir().then(|| below.to_owned())
}

/// Resolves a link below a folder. Returns the absolute target if it is a folder that does not contain `root`.
pub(crate) fn outside(root: &Path, link: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let target = root.join(link).canonicalize().ok()?;
    (target.is_dir() && !root.starts_with(&target)).then_some(target)
}

/// Returns an error for an open file with more than one hard link, unless the rule allows it.
#[cfg(unix)]
fn check_hard_links(found: &std::fs::Metadata, rule: HardLinks) -> Result<(), FolderError> {
    use std::os::unix::fs::MetadataExt;
    if rule == HardLinks::Refuse && found.nlink() > 1 {
        Err(FolderError::HardLink)
    } else {
        Ok(())
    }
}

#[cfg(not(unix))]
fn check_hard_links(_: &std::fs::Metadata, _: HardLinks) -> Result<(), FolderError> {
    Ok(())
}

/// Reads a file, which may grow while it is being read.
fn read(file: impl Read, bytes: u64, max: usize) -> Result<Vec<u8>, FolderError> {
    let too_large = |bytes| FolderError::TooLarge { bytes, max };
    let limit = max as u64;
    if bytes > limit {
        return Err(too_large(bytes));
    }
    // files in /proc report a size of 0
    let mut content = Vec::with_capacity(bytes as usize + 1);
    file.take(limit + 1).read_to_end(&mut content)?;
    if content.len() > max {
        Err(too_large(content.len() as u64))
    } else {
        Ok(content)
    }
}

#[cfg(test)]
mod tests;
