//! A small file system, held in memory.
//!
//! As in a shell, the model works in one directory at a time: it moves with `cd` and names files of the
//! current directory. Error messages are those of a shell.

mod edit;
mod navigate;
mod read;
mod transfer;
mod tree;

pub use edit::*;
pub use navigate::*;
pub use read::*;
pub use transfer::*;
pub use tree::*;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use skill_agent::prelude::*;

/// Browse, read and change the files of a small file system.
#[derive(Skill, Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
#[skill(
    name = "file_system",
    state_key = "file_system",
    version = "0.1.0",
    category = "files",
    actions(
        Pwd, Ls, Cd, Find, Du, // where am I, and what is here
        Cat, Wc, Sort, Grep, Tail, Diff, // what is in a file
        Mkdir, Touch, Echo, Rm, Rmdir, // make, write, remove
        Mv, Cp // move, copy
    )
)]
pub struct FileSystem {
    /// The topmost directory and everything in it.
    #[skill(default = Directory::new("workspace"))]
    pub root: Directory,
    /// Names from the topmost directory (left out) down to the current one.
    #[skill(default)]
    pub cwd: Vec<String>,
}

impl FileSystem {
    /// Returns the current directory.
    ///
    /// # Errors
    ///
    /// If the current directory does not exist, which is possible in a hand-written state.
    pub fn current(&self) -> Result<&Directory, FileSystemError> {
        self.cwd
            .iter()
            .try_fold(&self.root, |directory, name| directory.directory(name))
            .ok_or(FileSystemError::Nowhere)
    }

    /// Returns the current directory for changes.
    ///
    /// # Errors
    ///
    /// As for [`current`](Self::current).
    pub fn current_mut(&mut self) -> Result<&mut Directory, FileSystemError> {
        self.cwd
            .iter()
            .try_fold(&mut self.root, |directory, name| {
                directory.directory_mut(name)
            })
            .ok_or(FileSystemError::Nowhere)
    }
}

/// An error of the file system. The messages are those of a shell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileSystemError {
    /// The tree does not allow it.
    #[error("{attempt}: {reason}")]
    Refused {
        /// The command and what it was about to do, as in `mv: cannot move 'a' to 'b'`.
        attempt: String,
        /// The reason.
        reason: Reason,
    },
    /// `cd` was given more than one folder.
    #[error("cd: {folder}: Unsupported path. Only one folder level at a time is supported.")]
    NestedPath {
        /// The given path.
        folder: String,
    },
    /// `cd ..` in the topmost directory.
    #[error("Current directory is already the root. Cannot go back.")]
    AlreadyAtRoot,
    /// The current directory is not in the tree.
    #[error("The current directory does not exist. Change to / first.")]
    Nowhere,
    /// `mv` or `cp` was given a path instead of a name.
    #[error("{command}: path not allowed in destination. Provide only a file or directory name.")]
    PathInDestination {
        /// `mv` or `cp`.
        command: &'static str,
    },
    /// `wc` was given an unknown mode.
    #[error("wc: invalid mode '{mode}'")]
    InvalidMode {
        /// The given mode.
        mode: String,
    },
}

impl FileSystemError {
    /// Shorthand for [`FileSystemError::Refused`].
    fn refused(attempt: impl Into<String>, reason: Reason) -> Self {
        Self::Refused {
            attempt: attempt.into(),
            reason,
        }
    }
}

/// The reason why a command is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// Nothing has this name.
    #[error("No such file or directory")]
    NotFound,
    /// There is no file to write to.
    #[error("No such file")]
    NoSuchFile,
    /// The name is taken.
    #[error("File exists")]
    Exists,
    /// A file is needed.
    #[error("Is a directory")]
    IsADirectory,
    /// A directory is needed.
    #[error("Not a directory")]
    NotADirectory,
    /// The directory is not empty.
    #[error("Directory not empty")]
    NotEmpty,
    /// The name contains a character that is not allowed.
    #[error("Invalid character")]
    InvalidCharacter,
    /// A directory cannot be put into itself.
    #[error("Cannot be put into itself")]
    IntoItself,
}

/// Whether a name contains a character that is not allowed.
fn has_invalid_character(name: &str) -> bool {
    name.contains(['|', '/', '\\', '?', '%', '*', ':', '"', '>', '<'])
}

/// Whether a name is `.` or `..`.
fn is_relative_directory(name: &str) -> bool {
    matches!(name, "." | "..")
}
