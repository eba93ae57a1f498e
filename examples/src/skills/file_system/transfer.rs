//! `mv` and `cp`, which share the rules for the destination.

use super::{FileSystem, FileSystemError, Node, Reason, is_relative_directory};
use schemars::JsonSchema;
use serde::Serialize;
use skill_agent::prelude::*;

/// The result of `mv` and `cp`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Transferred {
    /// A sentence that names the source and the destination.
    pub result: String,
}

/// Move a file or directory into another directory, or rename it.
#[action]
pub fn mv(
    fs: &mut FileSystem,
    /// Name of a file or directory in the current directory.
    source: String,
    /// Name of an existing directory to move it into, or the new name; not a path.
    destination: String,
) -> Result<Transferred, FileSystemError> {
    transfer(fs, Kind::Move, &source, &destination)
}

/// Copy a file or directory into another directory, or under another name.
#[action]
pub fn cp(
    fs: &mut FileSystem,
    /// Name of a file or directory in the current directory.
    source: String,
    /// Name of an existing directory to copy it into, or the name of the copy; not a path.
    destination: String,
) -> Result<Transferred, FileSystemError> {
    transfer(fs, Kind::Copy, &source, &destination)
}

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Move,
    Copy,
}

impl Kind {
    fn command(self) -> &'static str {
        match self {
            Self::Move => "mv",
            Self::Copy => "cp",
        }
    }

    fn verb(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Copy => "copy",
        }
    }

    fn participle(self) -> &'static str {
        match self {
            Self::Move => "moved",
            Self::Copy => "copied",
        }
    }
}

/// Moves or copies a node into an existing directory, or gives it the new name `destination`.
fn transfer(
    fs: &mut FileSystem,
    kind: Kind,
    source: &str,
    destination: &str,
) -> Result<Transferred, FileSystemError> {
    let command = kind.command();
    let refuse = |what: String, reason| {
        FileSystemError::refused(format!("{command}: cannot {} {what}", kind.verb()), reason)
    };
    let here = fs.current_mut()?;
    let Some(mut node) = here.get(source).cloned() else {
        return Err(refuse(format!("'{source}'"), Reason::NotFound));
    };
    if destination.contains('/') || is_relative_directory(destination) {
        return Err(FileSystemError::PathInDestination { command });
    }

    let target = match here.get_mut(destination) {
        Some(Node::File(_)) => Err((destination.to_owned(), Reason::NotADirectory)),
        Some(Node::Directory(directory)) => {
            let target = format!("{destination}/{source}");
            if source == destination {
                Err((target, Reason::IntoItself))
            } else if directory.contains(source) {
                Err((target, Reason::Exists))
            } else {
                directory.contents.push(node);
                Ok(target)
            }
        }
        None => {
            node.rename(destination);
            here.contents.push(node);
            Ok(destination.to_owned())
        }
    };
    let target =
        target.map_err(|(target, reason)| refuse(format!("'{source}' to '{target}'"), reason))?;
    if kind == Kind::Move {
        here.remove(source);
    }
    Ok(Transferred {
        result: format!("'{source}' {} to '{target}'", kind.participle()),
    })
}
