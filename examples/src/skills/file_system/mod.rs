//! A small file system in memory.
//!
//! As in a shell, the model works in one directory at a time: it moves with `cd` and uses names of files in the current
//! directory. Error messages are like a shell's.

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
        Pwd, Ls, Cd, Find, Du, // navigate
        Cat, Wc, Sort, Grep, Tail, Diff, // read
        Mkdir, Touch, Echo, Rm, Rmdir, // edit
        Mv, Cp // transfer
    )
)]
pub struct FileSystem {
    /// The root directory and its contents.
    #[skill(default = Directory::new("workspace"))]
    pub root: Directory,
    /// The names on the path from the root directory (excluded) to the current directory.
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
            .ok_or(FileSystemError::MissingCurrentDirectory)
    }

    /// Returns the current directory, mutably.
    ///
    /// # Errors
    ///
    /// Like [`current`](Self::current).
    pub fn current_mut(&mut self) -> Result<&mut Directory, FileSystemError> {
        self.cwd
            .iter()
            .try_fold(&mut self.root, |directory, name| {
                directory.directory_mut(name)
            })
            .ok_or(FileSystemError::MissingCurrentDirectory)
    }
}

/// An error of the file system. The messages are like a shell's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileSystemError {
    /// A command is not possible in the current tree.
    #[error("{attempt}: {reason}")]
    Refused {
        /// The command and what it tried to do, as in `mv: cannot move 'a' to 'b'`.
        attempt: String,
        /// The reason.
        reason: Reason,
    },
    /// `cd` was given more than one directory level.
    #[error("cd: {folder}: Unsupported path. Only one folder level at a time is supported.")]
    NestedPath {
        /// The given path.
        folder: String,
    },
    /// `cd ..` in the root directory.
    #[error("Current directory is already the root. Cannot go back.")]
    AlreadyAtRoot,
    /// The current directory is not in the tree.
    #[error("The current directory does not exist. Change to / first.")]
    MissingCurrentDirectory,
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
    /// No node has this name.
    #[error("No such file or directory")]
    NotFound,
    /// The file to write to does not exist.
    #[error("No such file")]
    NoSuchFile,
    /// The name is already used.
    #[error("File exists")]
    Exists,
    /// A file is required.
    #[error("Is a directory")]
    IsADirectory,
    /// A directory is required.
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
