//! Actions that create, write and remove files and directories.

use super::{
    Directory, File, FileSystem, FileSystemError, Node, Reason, has_invalid_character,
    is_relative_directory,
};
use schemars::JsonSchema;
use serde::Serialize;
use skill_agent::prelude::*;

/// Create an empty directory in the current directory.
#[action]
pub fn mkdir(
    fs: &mut FileSystem,
    /// Name of the new directory, not a path.
    dir_name: String,
) -> Result<(), FileSystemError> {
    let attempt = format!("mkdir: cannot create directory '{dir_name}'");
    create(
        fs,
        &dir_name,
        attempt,
        Node::Directory(Directory::new(&dir_name)),
    )
}

/// Create an empty file in the current directory.
#[action]
pub fn touch(
    fs: &mut FileSystem,
    /// Name of the new file, not a path.
    file_name: String,
) -> Result<(), FileSystemError> {
    let attempt = format!("touch: cannot touch '{file_name}'");
    let file = File {
        name: file_name.clone(),
        content: String::new(),
    };
    create(fs, &file_name, attempt, Node::File(file))
}

/// Adds a node to the current directory.
fn create(
    fs: &mut FileSystem,
    name: &str,
    attempt: String,
    node: Node,
) -> Result<(), FileSystemError> {
    let here = fs.current_mut()?;
    let obstacle = if has_invalid_character(name) {
        Reason::InvalidCharacter
    } else if name.is_empty() {
        Reason::NotFound
    } else if is_relative_directory(name) || here.contains(name) {
        Reason::Exists
    } else {
        here.contents.push(node);
        return Ok(());
    };
    Err(FileSystemError::refused(attempt, obstacle))
}

/// Text that was printed and not stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TerminalOutput {
    /// The text.
    pub terminal_output: String,
}

/// Replace the content of an existing file, or print text if no file is given.
#[action]
pub fn echo(
    fs: &mut FileSystem,
    /// The text.
    content: String,
    /// Name of an existing file in the current directory.
    file_name: Option<String>,
) -> Result<Option<TerminalOutput>, FileSystemError> {
    let Some(file_name) = file_name.filter(|name| !name.is_empty()) else {
        return Ok(Some(TerminalOutput {
            terminal_output: content,
        }));
    };
    let reason = match fs.current_mut()?.get_mut(&file_name) {
        _ if has_invalid_character(&file_name) => Reason::InvalidCharacter,
        Some(Node::File(file)) => {
            file.content = content;
            return Ok(None);
        }
        Some(Node::Directory(_)) => Reason::IsADirectory,
        None => Reason::NoSuchFile,
    };
    Err(FileSystemError::refused(
        format!("echo: cannot write to '{file_name}'"),
        reason,
    ))
}

/// The result of a removal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Removed {
    /// A sentence that names what was removed.
    pub result: String,
}

/// Remove a file, or a directory and its contents.
#[action]
pub fn rm(
    fs: &mut FileSystem,
    /// Name of a file or directory in the current directory.
    file_name: String,
) -> Result<Removed, FileSystemError> {
    let here = fs.current_mut()?;
    if !here.contains(&file_name) {
        return Err(FileSystemError::refused(
            format!("rm: cannot remove '{file_name}'"),
            Reason::NotFound,
        ));
    }
    Ok(remove(here, &file_name))
}

/// Remove an empty directory.
#[action]
pub fn rmdir(
    fs: &mut FileSystem,
    /// Name of a directory in the current directory.
    dir_name: String,
) -> Result<Removed, FileSystemError> {
    let here = fs.current_mut()?;
    let reason = match here.get(&dir_name) {
        Some(Node::Directory(directory)) if directory.contents.is_empty() => {
            return Ok(remove(here, &dir_name));
        }
        Some(Node::Directory(_)) => Reason::NotEmpty,
        Some(Node::File(_)) => Reason::NotADirectory,
        None => Reason::NotFound,
    };
    Err(FileSystemError::refused(
        format!("rmdir: cannot remove '{dir_name}'"),
        reason,
    ))
}

fn remove(directory: &mut Directory, name: &str) -> Removed {
    directory.remove(name);
    Removed {
        result: format!("'{name}' removed"),
    }
}
