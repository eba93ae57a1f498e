//! `mv` and `cp`, with a common rule for the destination.

use super::{FileSystem, FileSystemError, Node, Reason, is_relative_directory};
use schemars::JsonSchema;
use serde::Serialize;
use skill_agent::prelude::*;

/// The answer of `mv` and `cp`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Transferred {
    /// A sentence that names the old and the new place.
    pub result: String,
}

/// Move a file or directory into another directory, or give it another name.
#[action]
pub fn mv(
    fs: &mut FileSystem,
    /// Name of a file or directory in the one you are in.
    source: String,
    /// Name of a directory here to move it into, or else its new name, not a path.
    destination: String,
) -> Result<Transferred, FileSystemError> {
    transfer(fs, Kind::Move, &source, &destination)
}

/// Copy a file or directory into another directory, or beside itself under another name.
#[action]
pub fn cp(
    fs: &mut FileSystem,
    /// Name of a file or directory in the one you are in.
    source: String,
    /// Name of a directory here to copy it into, or else the name of the copy, not a path.
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

/// An existing directory takes the source in; any other free name becomes the new name.
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

    let place = match here.get_mut(destination) {
        Some(Node::File(_)) => Err((destination.to_owned(), Reason::NotADirectory)),
        Some(Node::Directory(directory)) => {
            let place = format!("{destination}/{source}");
            if source == destination {
                Err((place, Reason::IntoItself))
            } else if directory.contains(source) {
                Err((place, Reason::Exists))
            } else {
                directory.contents.push(node);
                Ok(place)
            }
        }
        None => {
            node.rename(destination);
            here.contents.push(node);
            Ok(destination.to_owned())
        }
    };
    let place =
        place.map_err(|(place, reason)| refuse(format!("'{source}' to '{place}'"), reason))?;
    if kind == Kind::Move {
        here.remove(source);
    }
    Ok(Transferred {
        result: format!("'{source}' {} to '{place}'", kind.participle()),
    })
}
