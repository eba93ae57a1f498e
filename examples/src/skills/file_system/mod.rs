//! A small file system, held in memory.
//!
//! The model works in one directory at a time, as in a shell: it moves with `cd` and names files of
//! the directory it is in. What a shell prints when it refuses is what the model reads.

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
    /// The current directory.
    ///
    /// # Errors
    ///
    /// A state that was written by hand may name a current directory that is not there.
    pub fn current(&self) -> Result<&Directory, FileSystemError> {
        self.cwd
            .iter()
            .try_fold(&self.root, |directory, name| directory.directory(name))
            .ok_or(FileSystemError::Nowhere)
    }

    /// The current directory, to change it.
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

/// Why the file system did not do what it was asked. The texts are those of a shell.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FileSystemError {
    /// The tree does not allow it.
    #[error("{attempt}: {reason}")]
    Refused {
        /// The command and what it was about to do, as in `mv: cannot move 'a' to 'b'`.
        attempt: String,
        /// What stands in the way.
        reason: Reason,
    },
    /// `cd` was given more than one folder.
    #[error("cd: {folder}: Unsupported path. Only one folder level at a time is supported.")]
    NestedPath {
        /// The path as it was given.
        folder: String,
    },
    /// `cd ..` in the topmost directory.
    #[error("Current directory is already the root. Cannot go back.")]
    AlreadyAtRoot,
    /// The current directory is not in the tree.
    #[error("The current directory does not exist. Change to / first.")]
    Nowhere,
    /// `mv` or `cp` was given a path where it wants a name.
    #[error("{command}: path not allowed in destination. Provide only a file or directory name.")]
    PathInDestination {
        /// `mv` or `cp`.
        command: &'static str,
    },
    /// `wc` counts lines, words or characters, and nothing else.
    #[error("wc: invalid mode '{mode}'")]
    InvalidMode {
        /// The mode as it was given.
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

/// What stands in the way of a command.
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
    /// Only empty directories can be removed so.
    #[error("Directory not empty")]
    NotEmpty,
    /// The name has a character that names must not have.
    #[error("Invalid character")]
    InvalidCharacter,
    /// A directory cannot be put into itself.
    #[error("Cannot be put into itself")]
    IntoItself,
}

/// Whether a name has a character that no file or directory may have in its name.
fn has_invalid_character(name: &str) -> bool {
    name.contains(['|', '/', '\\', '?', '%', '*', ':', '"', '>', '<'])
}

/// Whether a name already means a directory wherever one is.
fn is_relative_directory(name: &str) -> bool {
    matches!(name, "." | "..")
}
